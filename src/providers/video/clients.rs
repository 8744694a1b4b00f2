//! Owns as whom we ask the video provider. These names and versions rot within months: when transcripts stop coming, look at
//! the settings under `video.clients`, or here.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One of the provider's own programs, as which a request presents itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its name in the body of a request.
    pub name: String,
    /// Its number in the header `X-YouTube-Client-Name`.
    pub number: u32,
    /// Its version.
    pub version: String,
    /// Its user agent.
    pub user_agent: String,
    /// What it says of the machine it runs on, such as `osName`.
    pub device: BTreeMap<String, String>,
}

impl Client {
    /// Who is asked for the page around the video, which holds the chapters.
    pub(super) fn page() -> Self {
        Self {
            name: "WEB".to_owned(),
            number: 1,
            version: "2.20260114.08.00".to_owned(),
            user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
                .to_owned(),
            device: BTreeMap::new(),
        }
    }

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
            for (name, value) in &self.device {
                fields.insert(name.clone(), Value::from(value.as_str()));
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
