//! Owns as whom we ask the video provider. These names and versions rot within months: when transcripts stop coming, look here.

use serde_json::{Value, json};

/// One of the provider's own programs, as which a request presents itself.
#[derive(Debug)]
pub(super) struct Client {
    /// Its number in the header `X-YouTube-Client-Name`.
    pub(super) number: &'static str,
    /// Its version.
    pub(super) version: &'static str,
    /// Its user agent.
    pub(super) user_agent: &'static str,
    name: &'static str,
    device: &'static [(&'static str, &'static str)],
}

/// Who is asked for the player's data, in this order: both were seen to get caption tracks that hold something, where the watch
/// page's own tracks come back empty.
pub(super) const PLAYERS: [Client; 2] = [
    Client {
        number: "101",
        version: "1.02",
        user_agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 15_7_3) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
        name: "VISIONOS",
        device: &[
            ("deviceMake", "Apple"),
            ("deviceModel", "RealityDevice17,1"),
            ("osName", "visionOS"),
            ("osVersion", "26.5.23O471"),
        ],
    },
    Client {
        number: "3",
        version: "21.02.35",
        user_agent: "com.google.android.youtube/21.02.35 (Linux; U; Android 11) gzip",
        name: "ANDROID",
        device: &[
            ("androidSdkVersion", "30"),
            ("osName", "Android"),
            ("osVersion", "11"),
        ],
    },
];

/// Who is asked for the page around the video, which holds the chapters.
pub(super) const PAGE: Client = Client {
    number: "1",
    version: "2.20260114.08.00",
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    name: "WEB",
    device: &[],
};

impl Client {
    /// The body of a request about one video. English, so that refusals can be understood; titles come in their own language.
    pub(super) fn request(&self, id: &str) -> Value {
        let mut client = json!({
            "clientName": self.name,
            "clientVersion": self.version,
            "userAgent": self.user_agent,
            "hl": "en",
            "gl": "US",
            "timeZone": "UTC",
            "utcOffsetMinutes": 0,
        });
        if let Some(fields) = client.as_object_mut() {
            for (name, value) in self.device {
                fields.insert((*name).to_owned(), Value::from(*value));
            }
        }
        json!({
            "context": { "client": client },
            "videoId": id,
            "contentCheckOk": true,
            "racyCheckOk": true,
        })
    }
}
