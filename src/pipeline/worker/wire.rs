//! Owns how requests and answers are laid out between the server and a worker: the lengths of the JSON and of the bytes behind it, each
//! in eight bytes, then both.

use serde::Serialize;
use serde::de::DeserializeOwned;
use skillkiln_document::blocks::NESTING_MAX;
use std::io::Read;

/// How deep JSON may be: eight brackets for each level of a document.
const DEPTH_MAX: usize = 8 * NESTING_MAX;
/// The most bytes of a source that go to a worker.
pub(super) const INPUT_BYTES_MAX: u64 = 128 << 20;
/// The longest request without its bytes.
const REQUEST_BYTES_MAX: u64 = 64 << 20;
/// The lengths before a frame.
pub(super) const HEAD_BYTES: usize = 16;

/// The lengths before a frame, written.
pub(super) fn head(json: usize, bytes: usize) -> [u8; HEAD_BYTES] {
    let mut head = [0; HEAD_BYTES];
    let (first, second) = head.split_at_mut(8);
    first.copy_from_slice(&(json as u64).to_le_bytes());
    second.copy_from_slice(&(bytes as u64).to_le_bytes());
    head
}

/// The lengths before a frame, read.
pub(super) fn lengths(head: [u8; HEAD_BYTES]) -> (u64, u64) {
    let number = |part: &[u8]| {
        part.iter()
            .rev()
            .fold(0u64, |number, byte| number << 8 | u64::from(*byte))
    };
    let (first, second) = head.split_at(8);
    (number(first), number(second))
}

/// Something as JSON.
pub(super) fn written<T: Serialize>(what: &T) -> Option<Vec<u8>> {
    serde_json::to_vec(what).ok()
}

/// What JSON says. A worker may have been taken over: what is deeper than a document may be is no answer.
pub(super) fn read<T: DeserializeOwned>(json: &[u8]) -> Option<T> {
    if depth_of(json) > DEPTH_MAX {
        return None;
    }
    let mut json = serde_json::Deserializer::from_slice(json);
    json.disable_recursion_limit();
    T::deserialize(&mut json).ok()
}

/// Reads a request with its bytes; none when there are no more, or when it is none.
pub(super) fn next<T: DeserializeOwned>(input: &mut impl Read) -> Option<(T, Vec<u8>)> {
    let mut head = [0; HEAD_BYTES];
    input.read_exact(&mut head).ok()?;
    let (json, bytes) = lengths(head);
    if json > REQUEST_BYTES_MAX || bytes > INPUT_BYTES_MAX {
        return None;
    }
    let request = part(input, json)?;
    let bytes = part(input, bytes)?;
    Some((read(&request)?, bytes))
}

/// A part of this length, with its room at once: a list that doubles takes twice as many pages of memory that nobody had.
fn part(input: &mut impl Read, length: u64) -> Option<Vec<u8>> {
    let length = usize::try_from(length).ok()?;
    let mut part = Vec::with_capacity(length);
    input.take(length as u64).read_to_end(&mut part).ok()?;
    (part.len() == length).then_some(part)
}

/// How many brackets are open at once, or a number that is no smaller and still as deep as may be.
fn depth_of(json: &[u8]) -> usize {
    // As deep as it has opening brackets at most, and these are counted many times faster.
    let opened = json.iter().filter(|byte| matches!(byte, b'[' | b'{'));
    let opened = opened.count();
    if opened <= DEPTH_MAX {
        return opened;
    }
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_as_it_was_written_and_not_when_it_is_cut_off() {
        let json = written(&vec!["a kiln", "fire"]).unwrap();
        let mut frame = head(json.len(), 3).to_vec();
        frame.extend(&json);
        frame.extend(b"wet");
        let read = next::<Vec<String>>(&mut frame.as_slice()).unwrap();
        assert_eq!(
            read,
            (vec!["a kiln".into(), "fire".into()], b"wet".to_vec())
        );
        for end in 0..frame.len() {
            assert!(next::<Vec<String>>(&mut &frame[..end]).is_none(), "{end}");
        }
    }

    #[test]
    fn a_frame_that_promises_more_than_any_memory_holds_is_none() {
        let promise = head(usize::MAX, usize::MAX);
        assert!(next::<Vec<String>>(&mut promise.as_slice()).is_none());
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read::<serde_json::Value>(deep.as_bytes()).is_none());
    }
}
