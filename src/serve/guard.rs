//! Who may ask: the headers Host and Origin of each request.
//!
//! A page of any site that a person visits can make the browser send requests to this machine. It is told from our own
//! pages by its Origin; and if its name has been made to point at this machine, by its Host.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::fields::shown;
use super::refusal::Refusal;

/// Names and origins that requests may come with.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    address: IpAddr,
    hosts: Vec<String>,
    origins: Vec<String>,
    web: bool,
}

impl Guard {
    /// For a server at this address, with further names of it, and with origins of pages that may ask; with `web` any may.
    pub(super) fn new(address: SocketAddr, hosts: &[String], origins: &[String], web: bool) -> Self {
        let lower = |texts: &[String]| texts.iter().map(|text| text.to_ascii_lowercase()).collect();
        Self { address: address.ip(), hosts: lower(hosts), origins: lower(origins), web }
    }

    /// Whether pages of any origin may ask.
    pub(super) fn any(&self) -> bool {
        self.web
    }

    /// The origins that were allowed, as CORS wants them.
    pub(super) fn origins(&self) -> Vec<HeaderValue> {
        self.origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect()
    }

    /// Whether this server is meant by `host`, which is a name or an address without the port.
    fn is_ours(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match literal {
            Ok(ip) => ip.is_loopback() || ip == self.address || self.address.is_unspecified(),
            Err(_) => host == "localhost" || self.hosts.contains(&host),
        }
    }

    /// Refuses a request by its path, its target and its headers.
    fn check(&self, path: &str, target: Option<&Authority>, headers: &HeaderMap) -> Result<(), Refusal> {
        let no = |sentence: String| Err(Refusal::new(StatusCode::FORBIDDEN, sentence));
        let host = one(headers, &header::HOST)?;
        let Some(host) = host else { return no("Host: not given, expected the server's own".to_owned()) };
        let authority = host.parse::<Authority>().ok();
        for named in [authority.as_ref(), target.or(authority.as_ref())] {
            if named.is_none_or(|named| named.as_str().contains('@') || !self.is_ours(named.host())) {
                let why = "expected the server's own, or one that --allow-host names";
                return no(format!("Host: {}, {why}", shown(host)));
            }
        }
        let origin = one(headers, &header::ORIGIN)?;
        if self.web {
            return Ok(());
        }
        if let Some(origin) = origin {
            let lower = origin.to_ascii_lowercase();
            let own = lower == format!("http://{}", host.to_ascii_lowercase());
            if !own && !self.origins.contains(&lower) {
                let why =
                    "expected the server's own, or one that --allow-origin names (--allow-web allows all)";
                return no(format!("Origin: {}, {why}", shown(origin)));
            }
            return Ok(());
        }
        // A browser that asks for a picture, a script, or a page sends no Origin. A link may lead to our own page, but
        // another site cannot make the server compute.
        let site = one(headers, &HeaderName::from_static("sec-fetch-site"))?;
        let mode = one(headers, &HeaderName::from_static("sec-fetch-mode"))?;
        let is_link = mode == Some("navigate") && ["/", "/index.html", "/review.html"].contains(&path);
        if matches!(site, Some("cross-site" | "same-site")) && !is_link {
            return no("Sec-Fetch-Site: a page of another site, expected the server's own".to_owned());
        }
        Ok(())
    }
}

/// The value of a header that may be given once.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let Some(first) = values.next() else { return Ok(None) };
    match (first.to_str(), values.next()) {
        (Ok(text), None) => Ok(Some(text)),
        _ => Err(Refusal::bad(format!("{name}: given twice or no text, expected one"))),
    }
}

/// Lets a request pass, or refuses it.
pub(super) async fn pass(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(request.uri().path(), request.uri().authority(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    // An answer is what it says it is, and no page may frame it or keep it.
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // The page has a policy of its own.
    let nothing = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(nothing);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(guard: &Guard, lines: &[(&str, &str)]) -> Result<(), Refusal> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let name: HeaderName = name.parse().expect("a name");
            headers.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        guard.check("/get-move", None, &headers)
    }

    #[test]
    fn only_our_own_names_and_origins_pass() {
        let address = "127.0.0.1:8019".parse().expect("an address");
        let guard =
            Guard::new(address, &["Box.lan".to_owned()], &["https://trainer.example".to_owned()], false);
        for host in ["127.0.0.1:8019", "localhost:8019", "LOCALHOST", "[::1]:8019", "127.0.0.1", "box.lan:80"]
        {
            assert_eq!(answer(&guard, &[("host", host)]), Ok(()), "{host}");
            let own = format!("http://{host}");
            assert_eq!(answer(&guard, &[("host", host), ("origin", &own)]), Ok(()), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8019",
            "192.168.1.2:8019",
            "localhost.evil.example",
            "a@localhost",
            "",
            "x y",
        ] {
            assert!(answer(&guard, &[("host", host)]).is_err(), "{host}");
        }
        let host = ("host", "127.0.0.1:8019");
        assert!(answer(&guard, &[]).is_err() && answer(&guard, &[host, host]).is_err());
        assert_eq!(answer(&guard, &[host, ("origin", "https://trainer.example")]), Ok(()));
        for origin in ["https://evil.example", "null", "http://127.0.0.1:80", "https://127.0.0.1:8019", ""] {
            assert!(answer(&guard, &[host, ("origin", origin)]).is_err(), "{origin}");
        }
    }

    #[test]
    fn with_the_web_allowed_any_page_may_ask_by_our_own_names() {
        let guard = Guard::new("127.0.0.1:8019".parse().expect("an address"), &[], &[], true);
        let host = ("host", "127.0.0.1:8019");
        for origin in ["https://any.example", "null", "http://localhost:5173"] {
            assert_eq!(answer(&guard, &[host, ("origin", origin)]), Ok(()), "{origin}");
        }
        assert_eq!(answer(&guard, &[host, ("sec-fetch-site", "cross-site")]), Ok(()));
        assert!(answer(&guard, &[("host", "evil.example")]).is_err());
    }

    #[test]
    fn a_page_of_another_site_may_lead_to_our_page_and_to_nothing_else() {
        let guard = Guard::new("127.0.0.1:8019".parse().expect("an address"), &[], &[], false);
        let check = |path: &str, site: &'static str, mode: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8019"));
            headers.insert("sec-fetch-site", HeaderValue::from_static(site));
            headers.insert("sec-fetch-mode", HeaderValue::from_static(mode));
            guard.check(path, None, &headers).is_ok()
        };
        for path in ["/get-move", "/eval", "/engine-movelist-cpp", "/v1/analyze", "/v1/health", "/ping"] {
            for site in ["cross-site", "same-site"] {
                for mode in ["navigate", "no-cors", "cors", "same-origin", "websocket"] {
                    assert!(!check(path, site, mode), "{path} {site} {mode}");
                }
            }
            assert!(check(path, "same-origin", "cors") && check(path, "none", "navigate"), "{path}");
        }
        for path in ["/", "/review.html"] {
            assert!(check(path, "cross-site", "navigate") && !check(path, "cross-site", "no-cors"), "{path}");
        }
    }

    #[test]
    fn an_absolute_target_counts_as_the_host_does() {
        let guard = Guard::new("0.0.0.0:80".parse().expect("an address"), &[], &[], false);
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("192.168.1.2"));
        assert_eq!(guard.check("/ping", None, &headers), Ok(()));
        assert!(guard.check("/ping", Some(&Authority::from_static("evil.example")), &headers).is_err());
    }
}
