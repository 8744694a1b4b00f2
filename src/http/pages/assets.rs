//! Owns what pages load: the style sheet, the script and the icon. They are part of the binary.
//!
//! An asset's address holds the hash of its bytes, so a browser may keep it for ever and never shows an old one.

use actix_web::HttpResponse;
use actix_web::http::header;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// Hexadecimal characters of an asset's hash in its address.
const HASH_LEN: usize = 12;

/// The addresses of all assets.
#[derive(Debug)]
pub(in crate::http) struct Assets {
    /// The style sheet.
    pub(in crate::http) css: String,
    /// The script.
    pub(in crate::http) js: String,
    /// The script of the pages on which skills are made and edited.
    pub(in crate::http) skills: String,
    /// The script of the page on which the API is tried.
    pub(in crate::http) docs: String,
    /// The icon.
    pub(in crate::http) icon: String,
}

struct Asset {
    name: &'static str,
    extension: &'static str,
    media_type: &'static str,
    text: &'static str,
}

const CSS: Asset = Asset {
    name: "app",
    extension: "css",
    media_type: "text/css; charset=utf-8",
    text: include_str!("../../../assets/app.css"),
};
const JS: Asset = Asset {
    name: "app",
    extension: "js",
    media_type: "text/javascript; charset=utf-8",
    text: include_str!("../../../assets/app.js"),
};
const SKILLS: Asset = Asset {
    name: "skills",
    extension: "js",
    media_type: "text/javascript; charset=utf-8",
    text: include_str!("../../../assets/skills.js"),
};
const DOCS: Asset = Asset {
    name: "docs",
    extension: "js",
    media_type: "text/javascript; charset=utf-8",
    text: include_str!("../../../assets/docs.js"),
};
const ICON: Asset = Asset {
    name: "icon",
    extension: "svg",
    media_type: "image/svg+xml; charset=utf-8",
    text: include_str!("../../../assets/icon.svg"),
};

impl Asset {
    fn address(&self) -> String {
        let hash: String = Sha256::digest(self.text)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let hash: String = hash.chars().take(HASH_LEN).collect();
        format!("/assets/{}.{hash}.{}", self.name, self.extension)
    }
}

static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets {
    css: CSS.address(),
    js: JS.address(),
    skills: SKILLS.address(),
    docs: DOCS.address(),
    icon: ICON.address(),
});

impl Assets {
    /// The addresses.
    pub(in crate::http) fn get() -> &'static Self {
        &ASSETS
    }

    fn at(&self, path: &str) -> Option<&'static Asset> {
        match path {
            _ if path == self.css => Some(&CSS),
            _ if path == self.js => Some(&JS),
            _ if path == self.skills => Some(&SKILLS),
            _ if path == self.docs => Some(&DOCS),
            _ if path == self.icon => Some(&ICON),
            _ => None,
        }
    }
}

/// The asset at an address.
pub(super) fn answer(path: &str) -> Option<HttpResponse> {
    let asset = ASSETS.at(path)?;
    let response = HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, asset.media_type))
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ))
        .body(asset.text);
    Some(response)
}

/// The icon, for browsers that ask for it whatever a page says.
pub(super) fn icon() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, ICON.media_type))
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .body(ICON.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_changes_with_the_bytes_and_leads_to_them() {
        let assets = Assets::get();
        for address in [&assets.css, &assets.js, &assets.icon] {
            let asset = assets.at(address).expect("it leads somewhere");
            let changed = Asset {
                text: "other",
                ..*asset
            };
            assert_ne!(changed.address(), *address);
        }
        assert!(assets.at("/assets/app.css").is_none());
        assert!(assets.at("/assets/../Cargo.toml").is_none());
    }

    #[test]
    fn pages_load_little() {
        assert!(CSS.text.len() + JS.text.len() + ICON.text.len() < 60_000);
    }
}
