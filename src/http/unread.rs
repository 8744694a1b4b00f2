//! Owns what happens to a body of unknown length that nobody wants: the connection is closed, however much is still to come.
//!
//! actix-web would read such a body to its end before it closes or reuses the connection, for as long as the client likes to send
//! or to be silent. It closes at once while somebody still holds the body, so the answer holds it until it is sent.

use actix_web::HttpMessage;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::header;
use bytes::Bytes;
use futures_util::Stream;
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

/// A request body that the handler and the answer share.
#[derive(Clone)]
pub(super) struct Held(Rc<RefCell<Payload>>);

impl Held {
    /// Shares the body of a request whose length is not announced.
    pub(super) fn of(req: &mut ServiceRequest) -> Option<Self> {
        if !req.headers().contains_key(header::TRANSFER_ENCODING) {
            return None;
        }
        let held = Self(Rc::new(RefCell::new(req.take_payload())));
        let stream: Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>> =
            Box::pin(held.clone());
        req.set_payload(Payload::from(stream));
        Some(held)
    }

    /// The body of an answer, which holds the body of its request until it is sent.
    pub(super) fn until_sent(self, body: BoxBody) -> BoxBody {
        BoxBody::new(Holding { body, _held: self })
    }
}

impl Stream for Held {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(cx)
    }
}

struct Holding {
    body: BoxBody,
    _held: Held,
}

impl MessageBody for Holding {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.body.as_pin_mut().poll_next(cx)
    }
}
