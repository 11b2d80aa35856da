//! One HTML file from markup, a style, a script and data: [`Sheet`].

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

const HEAD: &str = include_str!("head.html");
const BAR: &str = include_str!("bar.html");

/// What a page consists of, besides the head and the bar at the top that all pages have.
pub(super) struct Sheet {
    /// The name of the page.
    pub(super) what: &'static str,
    /// The buttons that only this page has in the bar.
    pub(super) buttons: &'static str,
    /// Everything below the bar.
    pub(super) body: &'static str,
    /// The style.
    pub(super) style: &'static str,
    /// The script.
    pub(super) script: &'static str,
}

impl Sheet {
    /// The page of `data`. Its policy lets it load nothing from anywhere.
    pub(super) fn page(&self, data: &impl Serialize) -> Result<String, serde_json::Error> {
        // Inside a script element only `<` could end the data; the others keep old parsers calm.
        let json = serde_json::to_string(data)?
            .replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029");
        // Browsers hash what they read, with newlines only, whatever line ends the sources were checked out with.
        let template = [HEAD, self.buttons, BAR, self.body].concat();
        let [template, style, script] =
            [&*template, self.style, self.script].map(|text| text.replace('\r', ""));
        let parts = [
            ("{{policy}}", policy(&script, &style)),
            ("{{what}}", self.what.to_owned()),
            ("{{style}}", style),
            ("{{what}}", self.what.to_owned()),
            ("{{data}}", json),
            ("{{script}}", script),
        ];
        Ok(fill(&template, &parts))
    }
}

/// Puts each part in its place, once, left to right, so that nothing inside a part is taken for a place.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    for (place, text) in parts {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page += before;
        page += text;
        rest = after;
    }
    page + rest
}

/// Nothing may be loaded from anywhere, and only our own script and style may run.
fn policy(script: &str, style: &str) -> String {
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(script),
        hash(style)
    )
}
