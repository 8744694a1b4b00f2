//! Owns why a video cannot be read, as the provider says it, in words that tell the user what to do.

use serde_json::Value;
use skillkiln_document::failure::{Failure, Reason};

/// The provider's refusals, told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The provider takes us for a robot.
    Blocked,
    /// It wants a proof that we are none.
    Captcha,
    /// It asks for consent to its cookies first.
    Consent,
    /// Only some accounts may see it.
    Private,
    /// Only adults with an account may see it.
    AgeRestricted,
    /// Only members of the channel may see it.
    MembersOnly,
    /// It must be bought or rented.
    Paid,
    /// Not shown in the country of this service.
    Region,
    /// There is no such video, or no longer.
    NotFound,
    /// It has not begun: a premiere, or a broadcast that is announced.
    Upcoming,
    /// It is being broadcast.
    Live,
    /// Any other reason.
    Unplayable,
    /// It can be played, but its words are not written down.
    NoCaptions,
    /// Its captions exist, but are not handed out.
    Withheld,
    /// The provider's answer cannot be understood.
    Garbled,
    /// The provider cannot be reached or is ill.
    Down,
}

impl Refusal {
    /// Whether another way of asking could still succeed.
    pub(super) const fn may_pass_elsewhere(self) -> bool {
        matches!(
            self,
            Self::Blocked
                | Self::Captcha
                | Self::Consent
                | Self::Withheld
                | Self::Garbled
                | Self::Unplayable
                | Self::Down
        )
    }

    /// For the user.
    pub(super) fn failure(self) -> Failure {
        const INSTEAD: &str = "send its transcript as a .vtt, .srt or text file instead";
        let reason = match self {
            Self::NoCaptions => Reason::Missing,
            _ => Reason::Unreachable,
        };
        Failure::new(
            reason,
            match self {
                Self::Blocked => format!(
                    "the video provider blocks this service at the moment, as it does with many servers; try again later, or {INSTEAD}"
                ),
                Self::Captcha => format!(
                    "the video provider shows this service a puzzle for people (a captcha) instead of the video; try again later, or {INSTEAD}"
                ),
                Self::Consent => format!(
                    "the video provider asks this service to agree to its cookies instead of showing the video; try again later, or {INSTEAD}"
                ),
                Self::Private => {
                    format!("this video is private; ask its owner to publish it, or {INSTEAD}")
                }
                Self::AgeRestricted => format!(
                    "this video is restricted by age and cannot be read without an account; {INSTEAD}"
                ),
                Self::MembersOnly => {
                    format!("this video is only for members of its channel; {INSTEAD}")
                }
                Self::Paid => format!("this video must be bought or rented; {INSTEAD}"),
                Self::Region => {
                    format!("this video is not shown in the country of this service; {INSTEAD}")
                }
                Self::NotFound => {
                    "there is no such video, or it was removed; check the address".to_owned()
                }
                Self::Upcoming => {
                    "this video is announced but has not begun; try again when it is over"
                        .to_owned()
                }
                Self::Live => {
                    "this video is being broadcast live, and its words are written down only afterwards; try again some hours after its end"
                        .to_owned()
                }
                Self::Unplayable => {
                    format!("the video provider does not play this video to us; {INSTEAD}")
                }
                Self::NoCaptions => {
                    format!("this video has no captions, so there is nothing to read; {INSTEAD}")
                }
                Self::Withheld => format!(
                    "the video provider withholds the captions of this video at the moment; try again later, or {INSTEAD}"
                ),
                Self::Garbled => format!(
                    "the video provider answered in a way that this service does not understand; {INSTEAD}"
                ),
                Self::Down => format!(
                    "the video provider cannot be reached at the moment; try again later, or {INSTEAD}"
                ),
            },
        )
    }
}

/// What a status other than success means.
pub(super) fn of_http(status: u16) -> Refusal {
    match status {
        429 | 403 | 401 => Refusal::Blocked,
        404 => Refusal::NotFound,
        300..=399 => Refusal::Blocked,
        500.. => Refusal::Down,
        _ => Refusal::Garbled,
    }
}

/// What the address of a page in the place of an answer, or that page itself, means; `None` when it is any other.
pub(super) fn of_page(page: &str) -> Option<Refusal> {
    let page = page.to_lowercase();
    let says = |needles: &[&str]| needles.iter().any(|needle| page.contains(needle));
    if says(&["consent.youtube", "consent.google", "before you continue"]) {
        Some(Refusal::Consent)
    } else if says(&["google.com/sorry", "captcha", "unusual traffic"]) {
        Some(Refusal::Captcha)
    } else {
        None
    }
}

/// Reads `playabilityStatus`; `None` when the video may be played.
pub(super) fn refusal(player: &Value) -> Option<Refusal> {
    let Some(found) = player.get("playabilityStatus") else {
        return Some(Refusal::Garbled);
    };
    let status = found.get("status").and_then(Value::as_str).unwrap_or("");
    if status == "OK" {
        return None;
    }
    let members = found
        .pointer("/errorScreen/playerLegacyDesktopYpcOfferRenderer/offerId")
        .and_then(Value::as_str)
        == Some("sponsors_only_video");
    if members {
        return Some(Refusal::MembersOnly);
    }
    let words = words(found).to_lowercase();
    let says = |needles: &[&str]| needles.iter().any(|needle| words.contains(needle));
    Some(
        if says(&["captcha", "unusual traffic", "automated queries"]) {
            Refusal::Captcha
        } else if says(&["before you continue", "consent"]) {
            Refusal::Consent
        } else if says(&["not a bot", "robot"]) {
            Refusal::Blocked
        } else if says(&[
            "members-only",
            "members only",
            "join this channel",
            "channel's members",
            "members on level",
        ]) {
            Refusal::MembersOnly
        } else if says(&["private video", "is private", "been granted access"]) {
            Refusal::Private
        } else if status.contains("AGE_") || says(&["your age", "age-restricted", "inappropriate"])
        {
            Refusal::AgeRestricted
        } else if says(&["country", "your region", "your location"]) {
            Refusal::Region
        } else if says(&[
            "payment",
            "purchase",
            "rent or buy",
            "to rent",
            "youtube premium",
        ]) {
            Refusal::Paid
        } else if status == "LIVE_STREAM_OFFLINE" || says(&["premieres in", "will begin in"]) {
            Refusal::Upcoming
        } else if says(&[
            "removed",
            "no longer available",
            "terminated",
            "doesn't exist",
            "does not exist",
        ]) || status == "ERROR"
        {
            Refusal::NotFound
        } else if status == "LOGIN_REQUIRED" {
            Refusal::Blocked
        } else {
            Refusal::Unplayable
        },
    )
}

/// All the words in which the provider explains itself, with straight apostrophes.
fn words(status: &Value) -> String {
    let screen = status.pointer("/errorScreen/playerErrorMessageRenderer");
    let mut said: Vec<String> = status
        .get("reason")
        .and_then(Value::as_str)
        .map(str::to_owned)
        .into_iter()
        .collect();
    said.extend(
        status
            .get("messages")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned),
    );
    for field in ["reason", "subreason"] {
        said.extend(screen.and_then(|screen| screen.get(field)).map(text));
    }
    said.join("\n").replace('’', "'")
}

/// A piece of text in either of the shapes that the provider uses for it.
pub(super) fn text(value: &Value) -> String {
    if let Some(simple) = value.get("simpleText").and_then(Value::as_str) {
        return simple.to_owned();
    }
    value
        .get("runs")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|run| run.get("text").and_then(Value::as_str))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(status: &str, reason: &str, subreason: &str) -> Option<Refusal> {
        refusal(&json!({ "playabilityStatus": {
            "status": status,
            "reason": reason,
            "errorScreen": { "playerErrorMessageRenderer": { "subreason": { "runs": [{ "text": subreason }] } } },
        }}))
    }

    #[test]
    fn each_refusal_of_the_provider_is_recognised() {
        use Refusal::*;
        for (status, reason, subreason, expected) in [
            (
                "LOGIN_REQUIRED",
                "Sign in to confirm you’re not a bot",
                "",
                Blocked,
            ),
            (
                "LOGIN_REQUIRED",
                "Private video",
                "Sign in if you've been granted access to this video",
                Private,
            ),
            ("LOGIN_REQUIRED", "This video is private", "", Private),
            (
                "ERROR",
                "Our systems have detected unusual traffic from your computer network",
                "",
                Captcha,
            ),
            (
                "LOGIN_REQUIRED",
                "Before you continue to YouTube",
                "",
                Consent,
            ),
            (
                "UNPLAYABLE",
                "This video is available to this channel’s members on level: Kiln (or any higher level).",
                "",
                MembersOnly,
            ),
            (
                "LOGIN_REQUIRED",
                "Sign in to confirm your age",
                "This video may be inappropriate for some users.",
                AgeRestricted,
            ),
            ("AGE_VERIFICATION_REQUIRED", "", "", AgeRestricted),
            (
                "UNPLAYABLE",
                "Join this channel to get access to members-only content like this video, and other exclusive perks.",
                "",
                MembersOnly,
            ),
            (
                "UNPLAYABLE",
                "Video unavailable",
                "The uploader has not made this video available in your country",
                Region,
            ),
            (
                "UNPLAYABLE",
                "This video requires payment to watch",
                "",
                Paid,
            ),
            (
                "ERROR",
                "Video unavailable",
                "This video has been removed by the uploader",
                NotFound,
            ),
            ("ERROR", "This video is unavailable", "", NotFound),
            (
                "UNPLAYABLE",
                "Video unavailable",
                "This video is no longer available because the YouTube account associated with this video has been terminated.",
                NotFound,
            ),
            (
                "LIVE_STREAM_OFFLINE",
                "This live event will begin in 3 hours.",
                "",
                Upcoming,
            ),
            (
                "UNPLAYABLE",
                "This video is currently not available on this different app",
                "",
                Unplayable,
            ),
        ] {
            assert_eq!(
                told(status, reason, subreason),
                Some(expected),
                "{status} {reason}"
            );
        }
        assert_eq!(told("OK", "", ""), None);
        assert_eq!(refusal(&json!({})), Some(Garbled));
        assert_eq!(refusal(&json!([1])), Some(Garbled));
    }

    #[test]
    fn every_refusal_has_a_message_of_its_own() {
        use Refusal::*;
        let all = [
            Blocked,
            Captcha,
            Consent,
            Private,
            AgeRestricted,
            MembersOnly,
            Paid,
            Region,
            NotFound,
            Upcoming,
            Live,
            Unplayable,
            NoCaptions,
            Withheld,
            Garbled,
            Down,
        ];
        let messages: std::collections::HashSet<String> = all
            .iter()
            .map(|refusal| refusal.failure().message)
            .collect();
        assert_eq!(messages.len(), all.len());
    }
}
