//! Owns what the operators' page loads: the look that all pages share, its own style and script, the icon. They are part of the binary.
//!
//! An asset's address holds the hash of its bytes, so a browser may keep it for ever and never shows an old one.

use crate::domain::quota::Surface;
use crate::http::error::{Problem, Refused};
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// Name, ending, media type and text of each.
const FILES: [(&str, &str, &str, &str); 4] = [
    ("app", "css", CSS, include_str!("../../../assets/app.css")),
    ("ops", "css", CSS, include_str!("../../../assets/ops.css")),
    ("ops", "js", JS, include_str!("../../../assets/ops.js")),
    (
        "icon",
        "svg",
        "image/svg+xml; charset=utf-8",
        include_str!("../../../assets/icon.svg"),
    ),
];

/// The addresses of what the page loads.
#[derive(Debug)]
pub(super) struct Assets {
    /// The look that all pages share.
    pub(super) look: String,
    /// The page's own style.
    pub(super) css: String,
    /// Its script.
    pub(super) js: String,
    /// The icon.
    pub(super) icon: String,
}

static ASSETS: LazyLock<Assets> = LazyLock::new(|| {
    let [look, css, js, icon] = FILES.map(|(name, ending, _, text)| address(name, ending, text));
    Assets {
        look,
        css,
        js,
        icon,
    }
});

fn address(name: &str, ending: &str, text: &str) -> String {
    let digest = Sha256::digest(text);
    let hash: String = digest
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("/ops/assets/{name}.{hash}.{ending}")
}

impl Assets {
    /// The addresses.
    pub(super) fn get() -> &'static Self {
        &ASSETS
    }
}

/// Answers `GET /ops/assets/{name}`.
pub(in crate::http) async fn get(req: HttpRequest) -> Result<HttpResponse, Refused> {
    let addresses = [&ASSETS.look, &ASSETS.css, &ASSETS.js, &ASSETS.icon];
    let files = addresses.into_iter().zip(FILES);
    let found = files
        .into_iter()
        .find(|(address, _)| *address == req.path());
    let (_, (_, _, media_type, text)) =
        found.ok_or_else(|| Refused(Surface::Application, Problem::not_found()))?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, media_type))
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ))
        .body(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_is_another_and_changes_with_the_bytes() {
        let all = [&ASSETS.look, &ASSETS.css, &ASSETS.js, &ASSETS.icon];
        let distinct: std::collections::HashSet<_> = all.into_iter().collect();
        assert_eq!(distinct.len(), 4);
        assert_ne!(address("ops", "js", "other"), ASSETS.js);
    }

    #[test]
    fn the_page_loads_little() {
        let own: usize = FILES.iter().map(|(_, _, _, text)| text.len()).sum();
        assert!(own < 70_000, "{own}");
    }
}
