//! Owns the shape of the tables, as the migrations of both databases make them.

use crate::store::types::{SqlId, SqlTime};
use diesel::sql_types::{BigInt, Binary, Bool, Integer, Nullable, SmallInt, Text};

diesel::table! {
    use super::*;
    users (id) {
        id -> SqlId,
        email -> Text,
        plan -> Text,
        restricted -> Bool,
        password_hash -> Nullable<Text>,
        available -> BigInt,
        reserved -> BigInt,
        packs_purchased -> BigInt,
        total_generations -> BigInt,
        created_at -> SqlTime,
        owed -> BigInt,
        plan_given -> Nullable<Text>,
    }
}

diesel::table! {
    use super::*;
    usages (run_id, attempt) {
        run_id -> SqlId,
        attempt -> Integer,
        user_id -> SqlId,
        at -> SqlTime,
        input -> BigInt,
        cached -> BigInt,
        output -> BigInt,
        cost -> BigInt,
    }
}

diesel::table! {
    use super::*;
    answers (digest) {
        digest -> Text,
        answer -> Text,
        size -> BigInt,
        used_at -> SqlTime,
    }
}

diesel::table! {
    use super::*;
    marks (name) {
        name -> Text,
        value -> Text,
    }
}

diesel::table! {
    use super::*;
    keys (id) {
        id -> SqlId,
        user_id -> SqlId,
        name -> Text,
        hash -> Binary,
        last_four -> Text,
        created_at -> SqlTime,
        last_used_at -> Nullable<SqlTime>,
        revoked_at -> Nullable<SqlTime>,
    }
}

diesel::table! {
    use super::*;
    transfers (key, phase) {
        key -> SqlId,
        phase -> SmallInt,
        opening -> Nullable<SmallInt>,
        kind -> Text,
        user_id -> SqlId,
        debit -> Text,
        credit -> Text,
        amount -> BigInt,
        reason -> Nullable<Text>,
        at -> SqlTime,
        payment_id -> Nullable<SqlId>,
    }
}

diesel::table! {
    use super::*;
    generations (id) {
        id -> SqlId,
        run_id -> SqlId,
        ordinal -> Integer,
        user_id -> SqlId,
        skill_id -> SqlId,
        catalogue_id -> Nullable<SqlId>,
        status -> Text,
        name -> Text,
        source_type -> Text,
        source -> Text,
        filename -> Nullable<Text>,
        word_count -> BigInt,
        credits_charged -> BigInt,
        credits_refunded -> BigInt,
        failure_reason -> Nullable<Text>,
        failure_message -> Nullable<Text>,
        created_at -> SqlTime,
        completed_at -> Nullable<SqlTime>,
        ordered -> Nullable<Text>,
        key_id -> Nullable<SqlId>,
        node -> Nullable<SqlId>,
        lease_until -> Nullable<SqlTime>,
        attempts -> Integer,
        replaces -> Nullable<SqlId>,
        route -> Nullable<Text>,
        idempotency_key -> Nullable<Text>,
        digest -> Nullable<Text>,
        balance_after -> Nullable<BigInt>,
        index_filename -> Nullable<Text>,
        index_content -> Nullable<Text>,
        worker_falls -> Integer,
    }
}

diesel::table! {
    use super::*;
    skills (id) {
        id -> SqlId,
        user_id -> SqlId,
        name -> Text,
        filename -> Text,
        description -> Text,
        category -> Text,
        search -> Text,
        word_count -> BigInt,
        is_public -> Bool,
        created_at -> SqlTime,
        updated_at -> SqlTime,
        content -> Text,
        reference_files -> Text,
        report -> Text,
        origin_run -> Nullable<SqlId>,
        origin_ordinal -> Nullable<Integer>,
        origins -> Text,
        version -> Integer,
    }
}

diesel::table! {
    use super::*;
    versions (skill_id, made_at) {
        skill_id -> SqlId,
        made_at -> SqlTime,
        replaced_at -> SqlTime,
        replaced_by -> Text,
        word_count -> BigInt,
        content -> Text,
        reference_files -> Text,
        number -> Integer,
    }
}

diesel::table! {
    use super::*;
    watches (skill_id) {
        skill_id -> SqlId,
        user_id -> SqlId,
        every -> Text,
        remedy -> Text,
        created_at -> SqlTime,
        due_at -> SqlTime,
        looked_at -> Nullable<SqlTime>,
        failures -> Integer,
        trouble -> Nullable<Text>,
        made_by -> Nullable<SqlId>,
        seen -> Nullable<Text>,
        pending -> Nullable<Text>,
        changes -> Nullable<Text>,
        run_id -> Nullable<SqlId>,
        beside -> Bool,
        is_on -> Bool,
    }
}

diesel::table! {
    use super::*;
    drafts (run_id) {
        run_id -> SqlId,
        skill_id -> SqlId,
        made_at -> SqlTime,
        waits -> Bool,
    }
}

diesel::table! {
    use super::*;
    products (generation_id) {
        generation_id -> SqlId,
        skill_id -> SqlId,
        name -> Text,
        filename -> Text,
        description -> Text,
        category -> Text,
        word_count -> BigInt,
        content -> Text,
        reference_files -> Text,
        report -> Text,
        origins -> Text,
    }
}

diesel::table! {
    use super::*;
    run_files (run_id, ordinal) {
        run_id -> SqlId,
        ordinal -> Integer,
        digest -> Text,
        source_id -> Nullable<SqlId>,
    }
}

diesel::table! {
    use super::*;
    blobs (digest) {
        digest -> Text,
        claimed_at -> SqlTime,
        removing_at -> Nullable<SqlTime>,
    }
}

diesel::table! {
    use super::*;
    blob_bytes (digest) {
        digest -> Text,
        bytes -> Binary,
    }
}

diesel::table! {
    use super::*;
    sources (id) {
        id -> SqlId,
        user_id -> SqlId,
        filename -> Text,
        extension -> Text,
        size_bytes -> BigInt,
        digest -> Text,
        status -> Text,
        created_at -> SqlTime,
    }
}

diesel::table! {
    use super::*;
    payments (id) {
        id -> SqlId,
        user_id -> SqlId,
        plan -> Text,
        provider -> Text,
        credits -> BigInt,
        created_at -> SqlTime,
        closed_at -> Nullable<SqlTime>,
        session -> Nullable<Text>,
        url -> Nullable<Text>,
        expires_at -> Nullable<SqlTime>,
        amount -> Nullable<BigInt>,
        currency -> Nullable<Text>,
        livemode -> Nullable<Bool>,
        intent -> Nullable<Text>,
        subscription -> Nullable<Text>,
        standing -> Nullable<Text>,
        paid_at -> Nullable<SqlTime>,
        counts -> Bool,
        given -> BigInt,
        moves -> Integer,
    }
}

diesel::table! {
    use super::*;
    sessions (id) {
        id -> SqlId,
        user_id -> SqlId,
        digest -> Binary,
        agent -> Text,
        network -> Text,
        created_at -> SqlTime,
        seen_at -> SqlTime,
        expires_at -> SqlTime,
    }
}

diesel::table! {
    use super::*;
    payment_events (id) {
        id -> Text,
        payment_id -> Nullable<SqlId>,
        reference -> Nullable<Text>,
        livemode -> Bool,
        at -> SqlTime,
        fact -> Text,
        received_at -> SqlTime,
    }
}

diesel::table! {
    use super::*;
    welcomes (user_id) {
        user_id -> SqlId,
        network -> Text,
        credits -> BigInt,
        created_at -> SqlTime,
        verified_at -> Nullable<SqlTime>,
    }
}

diesel::table! {
    use super::*;
    recovery_codes (digest) {
        digest -> Binary,
        user_id -> SqlId,
        created_at -> SqlTime,
        used_at -> Nullable<SqlTime>,
    }
}

diesel::table! {
    use super::*;
    second_factors (user_id) {
        user_id -> SqlId,
        sealed -> Binary,
        created_at -> SqlTime,
        confirmed_at -> Nullable<SqlTime>,
        last_step -> BigInt,
    }
}

diesel::table! {
    use super::*;
    tickets (digest) {
        digest -> Binary,
        user_id -> SqlId,
        purpose -> Text,
        expires_at -> SqlTime,
    }
}

diesel::table! {
    use super::*;
    applications (digest) {
        digest -> Binary,
        email -> Text,
        invite -> Nullable<Binary>,
        expires_at -> SqlTime,
    }
}

diesel::table! {
    use super::*;
    invites (digest) {
        digest -> Binary,
        note -> Text,
        created_at -> SqlTime,
        expires_at -> SqlTime,
        used_by -> Nullable<SqlId>,
    }
}

diesel::table! {
    use super::*;
    identities (issuer, subject) {
        issuer -> Text,
        subject -> Text,
        user_id -> SqlId,
        created_at -> SqlTime,
        email -> Text,
    }
}

diesel::table! {
    use super::*;
    webhook_endpoints (id) {
        id -> SqlId,
        user_id -> SqlId,
        url -> Text,
        created_at -> SqlTime,
        noted_until -> SqlTime,
    }
}

diesel::table! {
    use super::*;
    webhook_deliveries (id) {
        id -> SqlId,
        endpoint_id -> SqlId,
        run_id -> SqlId,
        event -> Text,
        body -> Text,
        created_at -> SqlTime,
        due_at -> Nullable<SqlTime>,
        attempts -> Integer,
        answered_at -> Nullable<SqlTime>,
        status -> Nullable<Integer>,
        trouble -> Nullable<Text>,
    }
}

diesel::joinable!(watches -> skills (skill_id));
diesel::allow_tables_to_appear_in_same_query!(
    users,
    keys,
    transfers,
    generations,
    skills,
    versions,
    watches,
    products,
    sources,
    run_files,
    blobs,
    payments,
    payment_events
);
// What belongs to an account and is asked together with it alone.
diesel::allow_tables_to_appear_in_same_query!(
    users,
    sessions,
    welcomes,
    recovery_codes,
    second_factors,
    tickets,
    applications,
    invites,
    identities
);
diesel::allow_tables_to_appear_in_same_query!(webhook_endpoints, webhook_deliveries, generations);
