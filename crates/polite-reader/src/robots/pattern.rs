//! The pattern of a robots rule: `*` matches anything, a final `$` anchors at the end, and percent escapes are compared as
//! RFC 9309 requires.

use memchr::memmem;

/// Unreserved URI characters besides letters and digits; all others are percent-encoded before comparison.
const UNRESERVED: &[u8] = b"-._~";
const RESERVED: &[u8] = b":/?#[]@!$&'()*+,;=";

/// A pattern in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    normal: Box<[u8]>,
}

impl Pattern {
    /// Parses a pattern. `None` for an empty one, which matches nothing.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let last = text.len() - 1;
        let normal = normal(text, |at, byte| byte == b'*' || (byte == b'$' && at == last));
        Some(Self { normal: normal.into() })
    }

    /// Normalises a path with its query for comparison.
    pub(crate) fn normal_path(path: &str) -> Vec<u8> {
        normal(path, |_, _| false)
    }

    /// Length in octets; the longest match decides.
    pub(crate) fn len(&self) -> usize {
        self.normal.len()
    }

    /// Whether it matches a path from [`Pattern::normal_path`].
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        let (pattern, is_anchored) = match self.normal.strip_suffix(b"$") {
            Some(pattern) => (pattern, true),
            None => (&*self.normal, false),
        };
        let mut parts = pattern.split(|byte| *byte == b'*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(first) else { return false };
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            return !is_anchored || rest.is_empty();
        }
        while let Some(part) = parts.next() {
            if is_anchored && parts.peek().is_none() {
                return rest.ends_with(part);
            }
            // The first occurrence is enough: it leaves the most room for what follows.
            let Some(at) = memmem::find(rest, part) else { return false };
            rest = &rest[at + part.len()..];
        }
        true
    }
}

/// Normalises a text so that different spellings of the same path are equal: unreserved characters plain, everything that is
/// not a URI character percent-encoded in upper case. `*` and `$` are percent-encoded too where they are not `special`, so
/// that `%2A` in a rule means the character itself.
fn normal(text: &str, special: impl Fn(usize, u8) -> bool) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let code = (byte == b'%').then(|| hex_code(&bytes[at + 1..])).flatten();
        match code {
            Some(code) if code.is_ascii_alphanumeric() || UNRESERVED.contains(&code) => out.push(code),
            Some(code) => push_encoded(&mut out, code),
            None if special(at, byte) => out.push(byte),
            None if matches!(byte, b'*' | b'$') => push_encoded(&mut out, byte),
            None if byte.is_ascii_alphanumeric() || UNRESERVED.contains(&byte) || RESERVED.contains(&byte) => {
                out.push(byte);
            }
            None => push_encoded(&mut out, byte),
        }
        at += if code.is_some() { 3 } else { 1 };
    }
    out
}

/// The byte that two hexadecimal digits encode.
fn hex_code(digits: &[u8]) -> Option<u8> {
    let digits = digits.get(..2)?;
    let value = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(value(digits[0])? * 16 + value(digits[1])?).ok()
}

fn push_encoded(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(percent_encoding::percent_encode_byte(byte).as_bytes());
}
