//! The misbehaviours of the hostile server, by host name.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::hostile::RecordedRequest;

/// The reply to a request: bytes, and what to do after them.
pub(crate) struct Reply {
    pub(crate) bytes: Vec<u8>,
    pub(crate) then: AfterReply,
}

/// What happens after the bytes.
#[derive(Debug, Clone)]
pub(crate) enum AfterReply {
    /// Waits for the next request.
    KeepAlive,
    /// Closes cleanly.
    Close,
    /// Resets the connection.
    Reset,
    /// Sends this forever.
    Forever(Vec<u8>),
    /// Sends this one byte at a time, with pauses.
    Drip(Vec<u8>, Duration),
    /// Sends nothing more and keeps the connection open.
    Hang,
}

/// Known bypasses of an address guard.
pub(crate) fn bypasses() -> impl Iterator<Item = &'static str> {
    include_str!("../bypasses.txt").lines().filter(|line| !line.starts_with('#'))
}

/// A complete response.
pub(crate) fn response(status: &str, fields: &[&str], body: &[u8]) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len()).into_bytes();
    for field in fields {
        out.extend_from_slice(field.as_bytes());
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(body);
    out
}

fn html(body: &str) -> Reply {
    Reply {
        bytes: response("200 OK", &["Content-Type: text/html; charset=utf-8"], body.as_bytes()),
        then: AfterReply::KeepAlive,
    }
}

fn status(status: &str, fields: &[&str]) -> Reply {
    Reply { bytes: response(status, fields, b"no"), then: AfterReply::KeepAlive }
}

fn raw(bytes: impl Into<Vec<u8>>, then: AfterReply) -> Reply {
    Reply { bytes: bytes.into(), then }
}

fn redirect(to: &str) -> Reply {
    status("302 Found", &[&format!("Location: {to}")])
}

pub(crate) fn gzip(body: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(body).unwrap();
    out.finish().unwrap()
}

fn gzipped(body: &[u8]) -> Reply {
    let fields = ["Content-Type: text/html", "Content-Encoding: gzip"];
    Reply { bytes: response("200 OK", &fields, &gzip(body)), then: AfterReply::KeepAlive }
}

/// A page with links that is a decompression bomb; compressed once because that takes a while.
static BOMB_PAGE: LazyLock<Vec<u8>> =
    LazyLock::new(|| gzipped(&[KIND_HOME.as_bytes(), &vec![b'a'; 3_000_000]].concat()).bytes);

/// A page that is small on the wire but would take gigabytes if its base were copied for every link.
fn link_bomb(host: &str) -> Option<String> {
    let base = |length: usize| format!("<base href='/{}/'>", "x".repeat(length));
    let links = || "<a href=contact>c</a>".repeat(3_000);
    let frames = || "<frame src=c>".repeat(100_000);
    Some(match host {
        "base-bomb.com" => base(1_900_000) + &links(),
        "base-bomb-2k.com" => base(1_900) + &links() + &frames(),
        "frame-bomb.com" => base(1_900) + &frames(),
        "link-bomb.com" => format!("<a href='/contact/{}'>contact</a>", "z".repeat(1_900)).repeat(990),
        "refresh-bomb.com" => format!("<meta http-equiv=refresh content='0; url=/{}'>", "r".repeat(15_000)),
        _ => return None,
    })
}

/// These pages compressed, each once because that takes a while.
static LINK_BOMBS: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());

fn packed_link_bomb(host: &str) -> Option<Reply> {
    let mut known = LINK_BOMBS.lock().unwrap();
    if !known.contains_key(host) {
        known.insert(host.to_owned(), gzipped(link_bomb(host)?.as_bytes()).bytes);
    }
    Some(raw(known[host].clone(), AfterReply::KeepAlive))
}

/// A header almost as long as a response head may be.
fn long_header() -> String {
    "h".repeat(60_000)
}

/// The home page of a well-behaved site.
pub(crate) const KIND_HOME: &str = r#"<!doctype html><title>Kind Bakery</title>
<nav><a href="/">Home</a> <a href="/contact">Contact us</a> <a href="/about-us">About</a> <a href="/team.html">Our team</a>
<a href="/impressum">Impressum</a> <a href="/book">Book a table</a> <a href="/order">Order online</a>
<a href="/blog/2021/05/why-bread">Why bread</a> <a href="https://elsewhere.net/contact">Elsewhere</a>
<a href="mailto:hi@kind.com">Mail</a> <a href="/menu.pdf">Menu</a></nav>"#;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/// The reply to a request. The named misbehaviours are in the functions below.
pub(crate) fn reply(seen: &RecordedRequest, tries: usize, port: u16) -> Reply {
    let path = seen.path.as_str();
    if path == "/robots.txt" {
        return robots(&seen.host, tries, port);
    }
    let named = redirects(seen, port)
        .or_else(|| bodies(&seen.host))
        .or_else(|| protocol(seen, tries))
        .or_else(|| statuses(seen, tries))
        .or_else(|| pages(seen));
    named.unwrap_or_else(|| match path {
        "/" => html(KIND_HOME),
        path if path.starts_with("/start") => html(KIND_HOME),
        path => html(&format!("<p>page {path}")),
    })
}

/// Redirects, most of them to forbidden targets.
fn redirects(seen: &RecordedRequest, port: u16) -> Option<Reply> {
    let path = seen.path.as_str();
    let reply = match seen.host.as_str() {
        "redirect-anywhere.com" => {
            let number: usize = seen.path.trim_start_matches('/').parse().unwrap_or(0);
            redirect(bypasses().nth(number).unwrap_or("/"))
        }
        "redirect-loop.com" => redirect(path),
        "redirect-chain.com" => redirect(&format!("{path}x")),
        "redirect-nowhere.com" => redirect("http://"),
        "redirect-without.com" => status("302 Found", &[]),
        "redirect-metadata.com" => redirect("http://169.254.169.254/latest/meta-data/"),
        "redirect-loopback.com" => redirect("http://127.0.0.1:22/"),
        "redirect-localhost.com" => redirect("http://localhost:9/"),
        "redirect-own-port.com" => redirect(&format!("http://localhost:{port}/")),
        "redirect-own-address.com" => redirect(&format!("http://127.0.0.1:{port}/")),
        "redirect-decimal.com" => redirect("http://2852039166/"),
        "redirect-file.com" => redirect("file:///etc/passwd"),
        "redirect-script.com" => redirect("javascript:alert(1)"),
        "redirect-userinfo.com" => redirect("http://kind.com@169.254.169.254/"),
        "redirect-social.com" => redirect("https://www.facebook.com/kindbakery"),
        "location-bomb.com" => redirect(&format!("/{}", long_header())),
        "scheme-bomb.com" => redirect(&format!("{}:x", long_header())),
        "redirect-to.com" => redirect(path.split_once('?').map_or("/", |(_, target)| target)),
        "redirect-kind.com" => redirect(&format!("http://kind.com:{port}/")),
        _ => return None,
    };
    Some(reply)
}

/// Bodies that are too long, too short, truncated or wrongly encoded.
fn bodies(host: &str) -> Option<Reply> {
    let reply = match host {
        "endless-body.com" => raw(format!("{HEAD}\r\n"), AfterReply::Forever(vec![b'x'; 8192])),
        "endless-chunks.com" => {
            raw(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n"), AfterReply::Forever(b"5\r\nhello\r\n".repeat(50)))
        }
        "zip-bomb.com" => {
            // Three million letters in a few thousand bytes, in many members so that compressing them is quick.
            let bomb = gzip(&vec![b'a'; 30_000]).repeat(100);
            raw(
                response("200 OK", &["Content-Type: text/html", "Content-Encoding: gzip"], &bomb),
                AfterReply::KeepAlive,
            )
        }
        "zip-nonsense.com" => raw(
            response("200 OK", &["Content-Type: text/html", "Content-Encoding: gzip"], b"\x1f\x8bnonsense"),
            AfterReply::KeepAlive,
        ),
        "brotli.com" => raw(
            response("200 OK", &["Content-Type: text/html", "Content-Encoding: br"], b"\x1b\x00"),
            AfterReply::KeepAlive,
        ),
        "slow-body.com" => raw(
            format!("{HEAD}Content-Length: 4000\r\n\r\n<p>slow"),
            AfterReply::Drip(vec![b'.'; 3993], Duration::from_millis(50)),
        ),
        "silent-body.com" => raw(format!("{HEAD}Content-Length: 10\r\n\r\n"), AfterReply::Hang),
        "wrong-length-short.com" => raw(format!("{HEAD}Content-Length: 9000\r\n\r\n<p>short"), AfterReply::Close),
        "wrong-length-long.com" => raw(format!("{HEAD}Content-Length: 4\r\n\r\n<p>this is longer"), AfterReply::Close),
        "two-lengths.com" => {
            raw(format!("{HEAD}Content-Length: 4\r\nContent-Length: 9\r\n\r\n<p>x</p>."), AfterReply::Close)
        }
        "negative-length.com" => raw(format!("{HEAD}Content-Length: -1\r\n\r\n<p>"), AfterReply::Close),
        "huge-length.com" => raw(format!("{HEAD}Content-Length: 18446744073709551615\r\n\r\n<p>"), AfterReply::Close),
        "bad-chunks.com" => raw(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\nZZ\r\nnonsense"), AfterReply::Close),
        "huge-chunk.com" => {
            raw(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nx"), AfterReply::Close)
        }
        "torn-chunks.com" => raw(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n<p>hi\r\n"), AfterReply::Close),
        "wrong-charset.com" => raw(
            response("200 OK", &["Content-Type: text/html; charset=utf-8"], b"<p>M\xfcller \xff\xfe\x00</p>"),
            AfterReply::KeepAlive,
        ),
        "reset-mid-body.com" => raw(format!("{HEAD}Content-Length: 4000\r\n\r\n<p>half"), AfterReply::Reset),
        "gzipped.com" => gzipped(KIND_HOME.as_bytes()),
        _ => return None,
    };
    Some(reply)
}

/// Servers that do not speak HTTP properly, or at all.
fn protocol(seen: &RecordedRequest, tries: usize) -> Option<Reply> {
    let reply = match seen.host.as_str() {
        "slow-head.com" => raw(
            "",
            AfterReply::Drip(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nlate".to_vec(),
                Duration::from_millis(50),
            ),
        ),
        "silent.com" => raw("", AfterReply::Hang),
        "reset.com" => raw("", AfterReply::Reset),
        "reset-once.com" if tries == 0 => raw("", AfterReply::Reset),
        "silent-once.com" if tries == 0 && seen.path == "/" => raw("", AfterReply::Hang),
        "reset-mid-body-once.com" if tries == 0 => {
            raw(format!("{HEAD}Content-Length: 4000\r\n\r\n<p>half"), AfterReply::Reset)
        }
        "half-contact.com" if seen.path == "/contact" => {
            raw(format!("{HEAD}Content-Length: 4000\r\n\r\n<p>half"), AfterReply::Close)
        }
        "closes-after-each.com" => {
            raw([HEAD.as_bytes(), b"Connection: close\r\n\r\n", KIND_HOME.as_bytes()].concat(), AfterReply::Close)
        }
        "closes-silently.com" => Reply { then: AfterReply::Close, ..html(KIND_HOME) },
        "endless-headers.com" => {
            raw("HTTP/1.1 200 OK\r\n", AfterReply::Forever(b"X-Filler: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(100)))
        }
        "endless-header.com" => raw("HTTP/1.1 200 OK\r\nX-Filler: ", AfterReply::Forever(vec![b'a'; 4096])),
        "endless-status.com" => raw("HTTP/1.1 200 ", AfterReply::Forever(vec![b'a'; 4096])),
        "informational-flood.com" => {
            raw("", AfterReply::Forever(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(50)))
        }
        "informational-then-page.com" => raw(
            [b"HTTP/1.1 103 Early Hints\r\n\r\n".as_slice(), &html(KIND_HOME).bytes].concat(),
            AfterReply::KeepAlive,
        ),
        "not-http.com" => raw("SSH-2.0-OpenSSH_9.6\r\n", AfterReply::Hang),
        "http-0.9.com" => raw("<html>bare</html>", AfterReply::Close),
        "switching.com" => {
            raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", AfterReply::Hang)
        }
        "nul-header.com" => raw(
            "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x",
            AfterReply::KeepAlive,
        ),
        "folded-header.com" => raw(
            "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x",
            AfterReply::KeepAlive,
        ),
        _ => return None,
    };
    Some(reply)
}

/// Valid responses that are not a page.
fn statuses(seen: &RecordedRequest, tries: usize) -> Option<Reply> {
    let path = seen.path.as_str();
    let reply = match seen.host.as_str() {
        "pdf.com" => raw(response("200 OK", &["Content-Type: application/pdf"], b"%PDF"), AfterReply::KeepAlive),
        "no-type.com" => raw(response("200 OK", &[], b"<p>typeless"), AfterReply::KeepAlive),
        "type-bomb.com" => {
            let field = format!("Content-Type: text/html; charset={}", long_header());
            raw(response("200 OK", &[&field], KIND_HOME.as_bytes()), AfterReply::KeepAlive)
        }
        "empty.com" => html("  \n"),
        "forbidden.com" => status("403 Forbidden", &[]),
        "missing.com" => status("404 Not Found", &[]),
        "broken-once.com" if tries == 0 && seen.path == "/" => status("500 Internal Server Error", &[]),
        "broken.com" => status("500 Internal Server Error", &[]),
        "busy-once.com" if tries == 0 && seen.path == "/" => status("503 Service Unavailable", &["Retry-After: 1"]),
        "busy-always.com" => status("429 Too Many Requests", &["Retry-After: 0"]),
        "busy-for-an-hour.com" => status("429 Too Many Requests", &["Retry-After: 3600"]),
        "parked.com" => html("<title>parked.com</title><p>This domain is for sale! Make an offer."),
        "challenge.com" => html("<title>Just a moment...</title>"),
        "half-broken.com" if path == "/contact" => status("500 Internal Server Error", &[]),
        _ => return None,
    };
    Some(reply)
}

/// Complete pages that are hard to read.
fn pages(seen: &RecordedRequest) -> Option<Reply> {
    let path = seen.path.as_str();
    if let Some(bomb) = packed_link_bomb(&seen.host) {
        return Some(bomb);
    }
    let reply = match seen.host.as_str() {
        "refresh-by-script.com" if path == "/" => html("<script>window.location.href='/start'</script>"),
        "refresh.com" if path == "/" => html("<meta http-equiv=refresh content='0; url=/start'>"),
        "ten-thousand-links.com" => html(&"<a href=/contact/x>contact</a>".repeat(10_000)),
        "deep-nesting.com" => html(&"<div><a href='".repeat(20_000)),
        host if host.starts_with("long-") => html(&"<p>a page of 700 kilobytes</p>".repeat(23_000)),
        "heavy-pages.com" => {
            html(&format!("{KIND_HOME}{}", "<p>many words, all of them different or not</p>".repeat(60_000)))
        }
        "zip-bomb-pages.com" => raw(BOMB_PAGE.clone(), AfterReply::KeepAlive),
        "frames.com" if path == "/" => html("<frameset><frame src=/menu.html><frame src=/main.html></frameset>"),
        "tagged.com" => html("<script src='https://www.googletagmanager.com/gtm.js?id=GTM-TAGGED1'></script>"),
        "tagged-otherwise.com" => html("<script>//www.googletagmanager.com GTM-OTHER1 GTM-OTHER2</script>"),
        "tagged-too.com" => html("<script>//www.googletagmanager.com GTM-TAGGED1</script>"),
        "gtm.net" if path.ends_with("GTM-GONE1") => status("404 Not Found", &[]),
        "gtm.net" if path.ends_with("GTM-BROKEN1") => status("500 Internal Server Error", &[]),
        "tagged-in-vain.com" => html("<script>//www.googletagmanager.com GTM-GONE1</script>"),
        "tagged-badly.com" => html("<script>//www.googletagmanager.com GTM-BROKEN1</script>"),
        "gtm.net" => raw(
            response("200 OK", &["Content-Type: application/javascript"], b"connect.facebook.net"),
            AfterReply::KeepAlive,
        ),
        _ => return None,
    };
    Some(reply)
}

fn text(body: &str) -> Reply {
    raw(response("200 OK", &["Content-Type: text/plain"], body.as_bytes()), AfterReply::KeepAlive)
}

fn robots(host: &str, tries: usize, port: u16) -> Reply {
    match host {
        "robots-no.com" => text("User-agent: *\nDisallow: /"),
        "robots-not-us.com" => text("User-agent: CanvassReader\nDisallow: /\n\nUser-agent: *\nAllow: /"),
        "robots-bom.com" => text("\u{feff}User-agent: *\nDisallow: /"),
        "robots-partly.com" => text("User-agent: *\nDisallow: /contact\nDisallow: /team"),
        "robots-500.com" => status("500 Internal Server Error", &[]),
        "robots-500-once.com" if tries == 0 => status("503 Service Unavailable", &["Retry-After: 0"]),
        "robots-broken-once.com" if tries == 0 => status("500 Internal Server Error", &[]),
        "robots-half-once.com" if tries == 0 => {
            raw("HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\nUser-agent: *\n", AfterReply::Close)
        }
        "robots-401.com" => status("401 Unauthorized", &[]),
        "robots-html.com" => html("<html><h1>Not found"),
        "robots-giant.com" => {
            text(&format!("User-agent: *\nDisallow: /team\n{}\nDisallow: /\n", "# filler\n".repeat(120_000)))
        }
        "robots-endless.com" => raw(
            "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /team\n",
            AfterReply::Forever(b"# filler\n".repeat(500)),
        ),
        "robots-rules.com" => text(&format!("User-agent: *\n{}", "Disallow: /x\n".repeat(40_000))),
        "robots-silent.com" => raw("", AfterReply::Hang),
        "robots-loop.com" => redirect("/robots.txt"),
        "robots-moved.com" => redirect(&format!("http://robots-no.com:{port}/robots.txt")),
        "robots-to-metadata.com" => redirect("http://169.254.169.254/robots.txt"),
        "robots-gzip.com" => raw(
            response("200 OK", &["Content-Encoding: gzip"], &gzip(b"User-agent: *\nDisallow: /")),
            AfterReply::KeepAlive,
        ),
        "crawl-delay.com" => text("User-agent: *\nCrawl-delay: 0.3"),
        "crawl-delay-day.com" => text("User-agent: *\nCrawl-delay: 86400"),
        "robots-reset.com" => raw("", AfterReply::Reset),
        _ => status("404 Not Found", &[]),
    }
}
