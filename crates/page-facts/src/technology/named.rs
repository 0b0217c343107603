//! Parts of the addresses and markers that a page names, as rules compare them.

use memchr::memchr2;

use crate::technology::rules::{MarkerTail, RULES};

/// Longest host that is looked up, in bytes.
pub(super) const HOST_BYTES_MAX: usize = 80;

/// The lower case of each byte that may be in a host, 0 for others.
pub(super) static LOWER_IN_HOSTS: [u8; 256] = {
    let mut lower = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-' {
            lower[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    lower
};

/// Copies the host at the start of `bytes` in lower case; `None` when it has no dot or is too long.
pub(super) fn host_at<'b>(bytes: &[u8], buffer: &'b mut [u8; HOST_BYTES_MAX]) -> Option<&'b str> {
    let mut length = 0;
    let mut has_dot = false;
    for byte in bytes.iter().take(HOST_BYTES_MAX + 1) {
        let lower = LOWER_IN_HOSTS[usize::from(*byte)];
        if lower == 0 {
            break;
        }
        *buffer.get_mut(length)? = lower;
        has_dot |= lower == b'.';
        length += 1;
    }
    if !has_dot {
        return None;
    }
    std::str::from_utf8(&buffer[..length]).ok()
}

/// The path after a host, in lower case, with `\/` and `&amp;` decoded.
pub(super) fn path_at(rest: &str) -> String {
    let rest = crate::page::around(rest, 0, 0, 200);
    let end =
        rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | ')')).unwrap_or(rest.len());
    let mut path = rest[..end].to_ascii_lowercase();
    if memchr2(b'\\', b'&', path.as_bytes()).is_some() {
        path = rest[..end].replace("\\/", "/").replace("&amp;", "&").replace("\\u0026", "&").to_ascii_lowercase();
    }
    let path = path.trim_end_matches('\\');
    // Some sites write a doubled slash.
    if path.starts_with("//") { path[1..].to_owned() } else { path.to_owned() }
}

/// Whether a path names an image, a film or a document.
pub(super) fn is_picture(path: &str) -> bool {
    let file = path.split(['?', '#']).next().unwrap_or("");
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(extension, "jpg" | "jpeg" | "png" | "webp" | "gif" | "svg" | "avif" | "ico" | "mp4" | "pdf")
}

/// Whether a path starts with the rule's path, up to the end of a segment.
pub(super) fn path_fits(path: &str, asked: &str) -> bool {
    // Comparing nothing is slow: with AVX-512, reading no bytes at an address that is not mapped takes a tenth of a microsecond.
    if asked.is_empty() {
        return true;
    }
    let Some(rest) = path.strip_prefix(asked) else { return false };
    let open_end = asked.ends_with(|c: char| !c.is_ascii_alphanumeric());
    open_end || !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// The rule for the plugin or theme of a path such as `/wp-content/plugins/x/`.
pub(super) fn plugin_rule(path: &str) -> Option<usize> {
    plugin_at(path).and_then(|folder| RULES.plugins.get(&folder).copied())
}

/// The folder of a plugin or theme, in whatever folder the site keeps them; slashes may be escaped.
pub(super) fn plugin_at(path: &str) -> Option<String> {
    let path = crate::page::around(path, 0, 0, 120).trim_start_matches('/');
    let (_, rest) = path.split_at(path.find(['/', '\\'])?);
    let rest = rest.trim_start_matches(['/', '\\']);
    let (prefix, rest) = match rest.strip_prefix("plugins") {
        Some(rest) => ("", rest),
        None => ("theme:", rest.strip_prefix("themes")?),
    };
    let folder = rest.trim_start_matches(['/', '\\']).split(['/', '\\', '"', '\'', '?']).next()?;
    Some(format!("{prefix}{folder}"))
}

pub(super) fn tail_fits(tail: &MarkerTail, rest: &[u8]) -> bool {
    let starts = |length: usize, is: fn(&u8) -> bool| rest.len() >= length && rest[..length].iter().all(is);
    match tail {
        MarkerTail::Anything => true,
        MarkerTail::Digits => starts(5, u8::is_ascii_digit),
        // Analytics ids have ten; a brand such as G-SHOCK has fewer.
        MarkerTail::Capitals => starts(8, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()),
        MarkerTail::OneOf(words) => words.iter().any(|word| rest.starts_with(word.as_bytes())),
    }
}
