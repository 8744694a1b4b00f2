//! What we call outside: web pages, video transcripts, models, payments.
