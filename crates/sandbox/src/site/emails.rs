//! The email addresses of a website: whose they are, where they appear, and how they are obfuscated.

use std::fmt::Write;

use crate::random::Random;
use crate::site::text::escape;

/// Who reads a mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum EmailKind {
    /// A person.
    Personal,
    /// A function, such as `info@`.
    Role,
    /// A free mailbox used by the business.
    Generic,
}

impl EmailKind {
    /// The value of `type` in leads.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// How an address is shown or obfuscated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum HiddenBy {
    /// A plain link.
    Mailto,
    /// Plain text.
    Text,
    /// Character references.
    Entities,
    /// Cloudflare's encoding.
    #[strum(serialize = "cfemail")]
    Cloudflare,
    /// Spelled with `[at]` and `[dot]`.
    AtDot,
    /// Only in structured data.
    JsonLd,
    /// Concatenated by a script.
    Script,
}

impl HiddenBy {
    /// The name used in the ground truth.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Where an address appears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmailSpot {
    /// In the footer of every page.
    Footer,
    /// Only on the contact page.
    Contact,
    /// Next to the owner's name.
    Owner,
    /// Next to the name of the first team member.
    Staff,
}

/// An address of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedEmail {
    pub(crate) address: String,
    pub(crate) kind: EmailKind,
    pub(crate) hidden_by: HiddenBy,
    pub(crate) spot: EmailSpot,
}

/// Draws how an address is shown: mostly links, the rest in small numbers.
pub(crate) fn hiding(random: &mut Random) -> HiddenBy {
    match random.below(100) {
        0..=41 => HiddenBy::Mailto,
        42..=56 => HiddenBy::Text,
        57..=66 => HiddenBy::Entities,
        67..=79 => HiddenBy::Cloudflare,
        80..=87 => HiddenBy::AtDot,
        88..=92 => HiddenBy::JsonLd,
        _ => HiddenBy::Script,
    }
}

/// Writes an address as it is shown. `look` selects among equivalent forms.
pub(crate) fn write(out: &mut String, email: &PlannedEmail, look: u64) {
    let address = email.address.as_str();
    let (local, domain) = address.split_once('@').unwrap_or((address, ""));
    match email.hidden_by {
        HiddenBy::Mailto => mailto(out, address, look),
        HiddenBy::Text => escape(out, address),
        HiddenBy::Entities => entities(out, address, look),
        HiddenBy::Cloudflare => cloudflare(out, address, look),
        HiddenBy::AtDot => at_dot(out, local, domain, look),
        HiddenBy::JsonLd => {}
        HiddenBy::Script => script(out, local, domain, look),
    }
}

fn mailto(out: &mut String, address: &str, look: u64) {
    let _ = match look % 3 {
        0 => write!(out, "<a href=\"mailto:{address}\">{address}</a>"),
        1 => write!(out, "<a href=\"mailto:{address}?subject=Website%20inquiry\">Email us</a>"),
        _ => write!(out, "<a class='mail' href='mailto:{address}' target='_top'>{address}</a>"),
    };
}

fn entities(out: &mut String, address: &str, look: u64) {
    let mut coded = String::with_capacity(address.len() * 6);
    for (at, letter) in address.chars().enumerate() {
        let _ = match (at as u64 + look) % 3 {
            0 => write!(coded, "&#x{:x};", letter as u32),
            _ => write!(coded, "&#{};", letter as u32),
        };
    }
    if look.is_multiple_of(2) {
        let _ = write!(out, "<a href=\"&#109;ailto:{coded}\">{coded}</a>");
    } else {
        out.push_str(&coded);
    }
}

/// Cloudflare's encoding: a key, then every byte XORed with it.
fn cloudflare(out: &mut String, address: &str, look: u64) {
    let key = (look % 200) as u8 + 17;
    let mut hex = format!("{key:02x}");
    for byte in address.bytes() {
        let _ = write!(hex, "{:02x}", byte ^ key);
    }
    let _ = if look.is_multiple_of(2) {
        write!(out, "<a href=\"/cdn-cgi/l/email-protection#{hex}\">Email us</a>")
    } else {
        write!(
            out,
            "<a href=\"/cdn-cgi/l/email-protection\" class=\"__cf_email__\" data-cfemail=\"{hex}\">[email&#160;protected]</a>"
        )
    };
}

fn at_dot(out: &mut String, local: &str, domain: &str, look: u64) {
    let _ = match look % 4 {
        0 => write!(out, "{local} [at] {}", domain.replace('.', " [dot] ")),
        1 => write!(out, "{local}(at){}", domain.replace('.', "(dot)")),
        2 => write!(out, "{local} (at) {domain}"),
        _ => write!(out, "{local}{{at}}{}", domain.replace('.', "{dot}")),
    };
}

fn script(out: &mut String, local: &str, domain: &str, look: u64) {
    let _ = match look % 3 {
        0 => write!(
            out,
            "<script>var user='{local}';var place='{domain}';document.write('<a href=\"mai'+'lto:'+user+'@'+place+'\">'+user+'&#64;'+place+'</a>');</script>"
        ),
        1 => write!(out, "<script>document.write('{local}' + '@' + '{domain}');</script>"),
        _ => write!(out, "<script>document.write(['{local}', '{domain}'].join('@'));</script>"),
    };
}

#[cfg(test)]
mod tests {
    use page_facts::{Context, RawPage, facts};

    use super::*;

    #[test]
    fn every_way_of_showing_an_address_is_read_by_page_facts() {
        let ways = [
            HiddenBy::Mailto,
            HiddenBy::Text,
            HiddenBy::Entities,
            HiddenBy::Cloudflare,
            HiddenBy::AtDot,
            HiddenBy::Script,
        ];
        for hidden_by in ways {
            for look in 0..24 {
                let address = "info@a-1-joes-plumbing-0a9zk3m1x7q4b.example".to_owned();
                let email = PlannedEmail { address, kind: EmailKind::Role, hidden_by, spot: EmailSpot::Contact };
                let mut html = String::from("<p>Write to ");
                write(&mut html, &email, look);
                html.push_str(" today.</p>");
                let url = "http://a-1-joes-plumbing-0a9zk3m1x7q4b.localhost:8080/";
                let page = RawPage { url, content_type: None, body: html.as_bytes() };
                let found: Vec<String> =
                    facts(&[page], &Context::default()).emails.into_iter().map(|found| found.email).collect();
                assert_eq!(found, [email.address.as_str()], "{html}");
            }
        }
    }
}
