//! Finds email addresses on a page, plain and obfuscated, and drops those that are not contacts.

pub(crate) mod address;
mod attributes;
pub(crate) mod confidence;
pub(crate) mod junk;
pub(crate) mod kind;
mod links;
pub(crate) mod listed;
pub(crate) mod mention;
pub(crate) mod merge;
pub(crate) mod obfuscated;
mod rank;
mod scripts;
mod strangers;

use std::borrow::Cow;

use memchr::{memchr_iter, memmem};

use crate::budget::StepBudget;
use crate::document::Document;
use crate::explain;
use crate::facts::Method;
use crate::finders::Finder;
use crate::page::around;
use crate::site::Site;
use crate::structured::business::Structured;
use address::{EmailAddress, around_at, percent_decode};
use links::{
    ATTRIBUTE_SIGNS_MAX, SIGN_STEPS, addresses_of_mailto, cloudflare_part, is_written_apart, mailto_part, turned_part,
    with_blanks,
};
pub(crate) use mention::EmailMention;

/// `@` characters examined per text, so that a page of nothing but `@` is not slow.
const SIGNS_MAX: usize = 3_000;
/// Mentions kept per page.
const MENTIONS_MAX: usize = 400;
/// Steps charged for an address found: checking it and cutting the snippet.
const ADDRESS_STEPS: usize = 3_000;
/// Steps charged for reading around one `@` in a script, where more obfuscations are tried.
const SCRIPT_SIGN_STEPS: usize = 1_200;
/// Bytes before an `@` in which `mailto:` makes it a contact.
const MAILTO_REACH_BYTES: usize = 87;
/// Bytes of a snippet on either side.
const SNIPPET_BYTES: usize = 60;

/// Finds the addresses of one page.
pub(crate) fn find(html: &str, document: &Document<'_>, site: &Site) -> Vec<EmailMention> {
    let mut finder = EmailFinder { document, site, found: Vec::new() };
    finder.mailto();
    finder.cloudflare();
    finder.text();
    finder.attributes();
    finder.metas();
    finder.scripts();
    if document.split_emails {
        attributes::read(&mut finder, html);
    }
    finder.found
}

/// The addresses given in structured data.
pub(crate) fn of_structured(structured: &Structured, site: &Site, budget: &StepBudget) -> Vec<EmailMention> {
    let mut found = Vec::new();
    for (raw, method) in structured.emails.iter().take(MENTIONS_MAX) {
        if !budget.spend(SIGN_STEPS + 4 * raw.len()) {
            break;
        }
        let plain = percent_decode(raw);
        let address = plain
            .find('@')
            .and_then(|at| around_at(&plain, at))
            .or_else(|| obfuscated::bracketed(&plain, budget).into_iter().next());
        if let Some(address) = address.filter(|a| junk::is_contact(a.local(), a.domain(), site)) {
            found.push(EmailMention {
                email: address.email,
                method: *method,
                snippet: raw.chars().take(120).collect(),
            });
        }
    }
    found
}

struct EmailFinder<'d, 'h> {
    document: &'d Document<'h>,
    site: &'d Site,
    found: Vec<EmailMention>,
}

impl EmailFinder<'_, '_> {
    /// Whether the limits allow another address.
    fn may_keep(&self) -> bool {
        self.found.len() < MENTIONS_MAX && self.document.budget.spend(ADDRESS_STEPS)
    }

    /// Whether an address can be a contact of the business.
    fn is_contact(&self, address: &EmailAddress) -> bool {
        let is_contact = junk::is_contact(address.local(), address.domain(), self.site);
        if !is_contact {
            explain::refused(Finder::Emails, "a placeholder, a vendor or an unattended mailbox", &address.email);
        }
        is_contact
    }

    /// Undoes ROT13 if that makes the address one of the site's own: turned, `.org` is `.bet`, which exists too.
    fn settle(&self, address: EmailAddress, method: Method) -> (EmailAddress, Method) {
        if self.site.owns(address.domain()) {
            return (address, method);
        }
        let turned = EmailAddress { email: obfuscated::rot13(&address.email), ..address };
        if self.site.owns(turned.domain()) { (turned, Method::Rot13) } else { (address, method) }
    }

    /// Adds an address at byte `at` of the visible text.
    fn keep(&mut self, address: EmailAddress, method: Method, at: usize) {
        let text = &self.document.text;
        let (address, method) = self.settle(address, method);
        if !self.may_keep() || !self.is_contact(&address) {
            return;
        }
        let before = line_before(text, at);
        if junk::is_sample(before) {
            explain::refused(Finder::Emails, "an example of the format", &address.email);
            return;
        }
        if !self.site.owns(address.domain()) && junk::is_credit(before) {
            explain::refused(Finder::Emails, "credited as the maker of the site", &address.email);
            return;
        }
        explain::accepted(Finder::Emails, rule_of(method), &address.email);
        let snippet = around(text, at, SNIPPET_BYTES, SNIPPET_BYTES).replace('\n', " ");
        let snippet = if snippet.is_empty() { address.email.clone() } else { snippet };
        self.found.push(EmailMention { email: address.email, method, snippet });
    }

    /// Adds an address from outside the visible text.
    fn keep_hidden(&mut self, address: EmailAddress, method: Method, source: &str) {
        let (address, method) = self.settle(address, method);
        if !self.may_keep() || !self.is_contact(&address) {
            return;
        }
        explain::accepted(Finder::Emails, rule_of(method), &address.email);
        let snippet = around(source, address.start, SNIPPET_BYTES / 2, SNIPPET_BYTES).replace('\n', " ");
        self.found.push(EmailMention { email: address.email, method, snippet });
    }

    fn mailto(&mut self) {
        let document = self.document;
        for link in &document.links {
            if let Some(hex) = cloudflare_part(&link.href) {
                if !document.budget.spend(SIGN_STEPS) {
                    return;
                }
                for address in obfuscated::cloudflare(hex) {
                    self.keep(address, Method::Cloudflare, link.start);
                }
                continue;
            }
            if let Some(code) = turned_part(&link.href) {
                if !document.budget.spend(SIGN_STEPS + 4 * code.len()) {
                    return;
                }
                let plain = obfuscated::turned_mailto(&percent_decode(code)).unwrap_or_default();
                for address in addresses_of_mailto(&plain, &document.budget, self.site) {
                    self.keep(address, Method::Joined, link.start);
                }
                continue;
            }
            let Some(rest) = mailto_part(&link.href) else { continue };
            let before = self.found.len();
            if !document.budget.spend(SIGN_STEPS + 4 * rest.len()) {
                return;
            }
            for address in addresses_of_mailto(rest, &document.budget, self.site) {
                self.keep(address, Method::Mailto, link.start);
            }
            if self.found.len() == before {
                let spelled = percent_decode(rest);
                for address in obfuscated::bracketed(&spelled, &document.budget) {
                    self.keep(address, Method::Spelled, link.start);
                }
            }
        }
    }

    fn cloudflare(&mut self) {
        let document = self.document;
        for (hex, at) in &document.cloudflare {
            if !document.budget.spend(SIGN_STEPS) {
                return;
            }
            for address in obfuscated::cloudflare(hex) {
                self.keep(address, Method::Cloudflare, *at);
            }
        }
    }

    fn text(&mut self) {
        let document = self.document;
        let text = document.text.as_str();
        for at in memchr_iter(b'@', text.as_bytes()).take(SIGNS_MAX) {
            if !document.budget.spend(SIGN_STEPS) {
                break;
            }
            if document.is_reversed(at) {
                if let Some(address) = obfuscated::reversed_around(text, at) {
                    self.keep(address, Method::Reversed, at);
                }
            } else if let Some(address) = around_at(text, at) {
                self.keep(address, Method::Text, at);
            } else if let Some(address) = obfuscated::dotted_around(text, at) {
                self.keep(address, Method::Spelled, at);
            } else if let Some(address) = with_blanks(text, at) {
                if is_written_apart(text, at, &address, self.site) {
                    self.keep(address, Method::Text, at);
                } else {
                    explain::refused(Finder::Emails, "an @ between words, not an address", &address.email);
                }
            } else if let Some(address) = obfuscated::reversed_around(text, at) {
                self.keep(address, Method::Reversed, at);
            } else if let Some(address) = obfuscated::rot13_around(text, at)
                && self.site.owns(address.domain())
            {
                self.keep(address, Method::Rot13, at);
            }
        }
        let budget = &document.budget;
        for address in obfuscated::bracketed(text, budget).into_iter().chain(obfuscated::in_words(text, budget)) {
            let at = address.start;
            self.keep(address, Method::Spelled, at);
        }
    }

    fn attributes(&mut self) {
        let document = self.document;
        for (name, value, at) in &document.at_attributes {
            let name = name.to_ascii_lowercase();
            if matches!(name.as_str(), "placeholder" | "pattern" | "class" | "style" | "srcset" | "d" | "integrity") {
                continue;
            }
            let is_code = value.trim_start().starts_with("javascript:");
            let is_address = !is_code
                && matches!(name.as_str(), "href" | "src" | "action" | "data-src" | "data-href" | "poster" | "content");
            // `href` values were already read as links.
            if name == "href" && mailto_part(value).is_some() {
                continue;
            }
            let mut may_be_joined = false;
            for sign in memchr_iter(b'@', value.as_bytes()).take(ATTRIBUTE_SIGNS_MAX) {
                let near = &value.as_bytes()[sign.saturating_sub(MAILTO_REACH_BYTES)..sign];
                let after_mailto = memmem::rfind(near, b"mailto:").is_some_and(|m| near.len() - m < 80);
                if is_address && !after_mailto {
                    continue;
                }
                if !document.budget.spend(SIGN_STEPS) {
                    return;
                }
                let method = if after_mailto { Method::Mailto } else { Method::Attribute };
                if let Some(address) = around_at(value, sign) {
                    self.keep(address, method, *at);
                } else if let Some(address) = obfuscated::rot13_around(value, sign) {
                    self.keep(address, Method::Rot13, *at);
                } else {
                    may_be_joined = true;
                }
            }
            if may_be_joined {
                for address in scripts::joined(value, &document.budget) {
                    self.keep(address, Method::Joined, *at);
                }
            }
        }
    }

    /// Reads `<meta name="contact" content="...">` and the like.
    fn metas(&mut self) {
        let document = self.document;
        for (name, content) in &document.metas {
            let is_contact = matches!(
                name.as_str(),
                "contact"
                    | "email"
                    | "e-mail"
                    | "reply-to"
                    | "og:email"
                    | "business:contact_data:email"
                    | "web_author_email"
            );
            if let Some(address) =
                is_contact.then(|| content.find('@').and_then(|sign| around_at(content, sign))).flatten()
            {
                self.keep_hidden(address, Method::Meta, content);
            }
        }
    }

    fn scripts(&mut self) {
        let document = self.document;
        let mut left = SIGNS_MAX;
        for script in document.scripts.iter().filter(|s| !s.is_json_ld) {
            let is_coded = scripts::is_coded(script.body);
            let undone = if is_coded { Cow::Owned(scripts::plain(script.body)) } else { Cow::Borrowed(script.body) };
            let body = undone.as_ref();
            let mut signs = 0;
            for at in memchr_iter(b'@', body.as_bytes()).take(left) {
                signs += 1;
                if !document.budget.spend(SCRIPT_SIGN_STEPS) {
                    return;
                }
                self.script_sign(body, at);
            }
            left = left.saturating_sub(signs);
            if signs > 0 || is_coded {
                for address in scripts::joined(body, &document.budget) {
                    self.keep_hidden(address, Method::Joined, body);
                }
                self.script_spelled(body);
            }
        }
    }

    /// Reads `'joe[at]acme.com'.replace('[at]', '@')`; on another domain it is a sample.
    fn script_spelled(&mut self, body: &str) {
        for word in ["[at]", "(at)"] {
            if memmem::find(body.as_bytes(), word.as_bytes()).is_none() {
                continue;
            }
            for address in obfuscated::bracketed(body, &self.document.budget) {
                if self.site.owns(address.domain()) {
                    self.keep_hidden(address, Method::Spelled, body);
                }
            }
            return;
        }
    }

    fn script_sign(&mut self, body: &str, at: usize) {
        if let Some(address) = around_at(body, at) {
            if self.is_value(body, &address) {
                self.keep_hidden(address, Method::Script, body);
            }
        } else if let Some(address) = obfuscated::rot13_around(body, at) {
            self.keep_hidden(address, Method::Rot13, body);
        } else if around(body, at, 0, 200).contains("reverse")
            && let Some(address) = obfuscated::reversed_around(body, at)
        {
            self.keep_hidden(address, Method::Reversed, body);
        }
    }

    /// Whether an address in a script is a string value of its own, not part of a comment, URL or licence text.
    fn is_value(&self, body: &str, address: &EmailAddress) -> bool {
        let before = body[..address.start].trim_end_matches('\\');
        let after = body[address.end..].trim_start_matches('\\');
        let opens =
            before.ends_with(['"', '\'', '`', '>', ' ', ':']) || before.ends_with("u003e") || before.ends_with("u003E");
        let closes = after.starts_with(['"', '\'', '`', '<', ' ', '?', '.', ','])
            || after.starts_with("u003c")
            || after.starts_with("u003C");
        let quoted = before.ends_with(['"', '\'', '`']) && after.starts_with(['"', '\'', '`']);
        let own = self.site.owns(address.domain());
        let mailto = before.ends_with("mailto:");
        // Sample values of form widgets and translations are string values too, but no real addresses.
        let sample = around(body, address.start, 40, 0).to_ascii_lowercase();
        let is_sample = sample.contains("placeholder") || sample.contains("example") || sample.contains("e.g");
        !is_sample
            && ((opens && closes && own)
                || mailto
                || (quoted && !before.trim_end_matches(['"', '\'', '`']).ends_with("//")))
    }
}

/// What the decisions about an address call the way it was found.
fn rule_of(method: Method) -> &'static str {
    match method {
        Method::Mailto => "a mailto link",
        Method::Cloudflare => "decoded from Cloudflare's protection",
        Method::Text => "written in the text",
        Method::Spelled => "spelled out, such as [at]",
        Method::Reversed => "written backwards",
        Method::Rot13 => "ROT13 undone",
        Method::Attribute => "in an attribute",
        Method::Script => "a value in a script",
        Method::Meta => "a meta tag",
        _ => "put together from pieces",
    }
}

fn line_before(text: &str, at: usize) -> &str {
    let before = around(text, at, 120, 0);
    before.rsplit_once('\n').map_or(before, |(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expect: &[(&str, Method)]) {
        let document = Document::parse(html);
        let found = find(html, &document, &Site::of("https://acme.com/"));
        let mut shown: Vec<(&str, Method)> = found.iter().map(|s| (s.email.as_str(), s.method)).collect();
        shown.dedup();
        assert_eq!(shown, expect, "{html}");
    }

    #[test]
    fn mailto_links_are_read_with_all_their_parts() {
        check(
            "<a href='MAILTO:joe@acme.com?subject=Hi&cc=ann@acme.com'>x</a>",
            &[("joe@acme.com", Method::Mailto), ("ann@acme.com", Method::Mailto)],
        );
        check(
            "<a href=\"mailto:joe@acme.com,%20ann%40acme.com\">x</a>",
            &[("joe@acme.com", Method::Mailto), ("ann@acme.com", Method::Mailto)],
        );
        check("<a href='&#109;ailto:jo&#101;&#64;acme.com'>x</a>", &[("joe@acme.com", Method::Mailto)]);
        check("<a href='mailto:joe(at)acme.com'>x</a>", &[("joe@acme.com", Method::Spelled)]);
        check("<a href='mailto:?subject=share'>x</a>", &[]);
    }

    #[test]
    fn obfuscated_addresses_are_read() {
        check(
            "<a href='/cdn-cgi/l/email-protection#543931142127353931262c7a373b39'>x</a>",
            &[("me@usamerx.com", Method::Cloudflare)],
        );
        check(
            "<span style='unicode-bidi:bidi-override;direction:rtl'>moc.emca@eoj</span>",
            &[("joe@acme.com", Method::Reversed)],
        );
        check("joe<span style='display:none'>nospam</span>@acme.com", &[("joe@acme.com", Method::Text)]);
        check("<i data-user='joe' data-domain='acme.com'></i>", &[("joe@acme.com", Method::Joined)]);
        check("<script>x={\"email\":\"joe@acme.com\"}</script>", &[("joe@acme.com", Method::Script)]);
        check("<a onclick=\"location='mailto:joe@acme.com'\">x</a>", &[("joe@acme.com", Method::Mailto)]);
        check("<a data-enc-email='wbr[at]npzr.pbz'>x</a>", &[("joe@acme.com", Method::Rot13)]);
        check("joe @ acme.com", &[("joe@acme.com", Method::Text)]);
        check("<noscript>Write to joe@acme.com</noscript>", &[("joe@acme.com", Method::Text)]);
        check("<form action='mailto:joe@acme.com'>", &[("joe@acme.com", Method::Mailto)]);
        check("<meta name=contact content='joe@acme.com'>", &[("joe@acme.com", Method::Meta)]);
        check("joe<!-- no -->@<!-- robots -->acme.com", &[("joe@acme.com", Method::Text)]);
        check("<a href=\"javascript:go('joe'+'@'+'acme.com')\">x</a>", &[("joe@acme.com", Method::Joined)]);
        check("<script>w('joe' + String.fromCharCode(64) + 'acme.com')</script>", &[("joe@acme.com", Method::Joined)]);
        check("<script>w('joe\\x40acme.com')</script>", &[("joe@acme.com", Method::Script)]);
        check("<script>w('moc.emca@eoj'.split('').reverse().join(''))</script>", &[("joe@acme.com", Method::Reversed)]);
        check("<script>w(atob('am9lQGFjbWUuY29t'))</script>", &[("joe@acme.com", Method::Joined)]);
        check("<p>joe &lt;at&gt; acme &lt;dot&gt; com</p>", &[("joe@acme.com", Method::Spelled)]);
        check("<p>joe_at_acme_dot_com</p>", &[("joe@acme.com", Method::Spelled)]);
    }

    #[test]
    fn addresses_hidden_by_scripts_styles_and_attributes_are_read() {
        check("<p>joe@acme(dot)com</p>", &[("joe@acme.com", Method::Spelled)]);
        check("<a data-email='am9lQGFjbWUuY29t'>x</a>", &[("joe@acme.com", Method::Attribute)]);
        check("<a data-email='moc.emca@eoj'>x</a>", &[("joe@acme.com", Method::Reversed)]);
        check(
            "<a href=\"javascript:linkTo_UnCryptMailto('ocknvq,lqgBceog0eqo');\">x</a>",
            &[("joe@acme.com", Method::Joined)],
        );
        check(
            "<a href='#' data-mailto-token='ocknvq,lqgBceog0eqo' data-mailto-vector='2'>x</a>",
            &[("joe@acme.com", Method::Joined)],
        );
        check("<style>.e::before{content:'joe@acme.com'}</style>", &[("joe@acme.com", Method::Attribute)]);
        check("<style>.e::before{content:\"joe\\40 acme.com\"}</style>", &[("joe@acme.com", Method::Attribute)]);
        check("<p>joe<img src='/i/at.gif' alt='at'>acme.com</p>", &[("joe@acme.com", Method::Text)]);
        check(
            "<p>joe&commat;acme&period;com and &#x61;nn&#0064;acme.com</p>",
            &[("joe@acme.com", Method::Text), ("ann@acme.com", Method::Text)],
        );
        check("<script>w('\\x6a\\x6f\\x65\\x40acme\\x2ecom')</script>", &[("joe@acme.com", Method::Script)]);
        check("<script>var u='joe',d='acme.com';w(`${u}@${d}`)</script>", &[("joe@acme.com", Method::Joined)]);
        check(
            "<script>w([106,111,101,64,97,99,109,101,46,99,111,109].map(c=>String.fromCharCode(c)))</script>",
            &[("joe@acme.com", Method::Joined)],
        );
        check("<script>e='joe[at]acme.com'.replace('[at]','@')</script>", &[("joe@acme.com", Method::Spelled)]);
        check(
            "<div data-settings='{&quot;email&quot;:&quot;joe@acme.com&quot;}'></div>",
            &[("joe@acme.com", Method::Attribute)],
        );
        check(
            "<script type='application/json'>{\"to\":\"joe\\u0040acme.com\"}</script>",
            &[("joe@acme.com", Method::Script)],
        );
    }

    #[test]
    fn rot13_with_an_ending_that_does_not_exist_is_undone_too() {
        check("<a href='mailto:wbr@npzr.pbz'>x</a>", &[("joe@acme.com", Method::Mailto)]);
        check("<p>wbr@npzr.pbz</p>", &[("joe@acme.com", Method::Rot13)]);
        check("<p>wbr@bgure.pbz</p><a href='mailto:wbr@bgure.pbz'>x</a>", &[]);
    }

    #[test]
    fn rot13_is_undone_when_the_domain_is_the_sites_own() {
        let html = "<a href='mailto:wbr@npzr.bet'>x</a> <i data-x='naa@npzr.bet'></i> joe@npzr.bet";
        let found = find(html, &Document::parse(html), &Site::of("https://acme.org/"));
        let shown: Vec<(&str, Method)> = found.iter().map(|s| (s.email.as_str(), s.method)).collect();
        assert_eq!(
            shown,
            [("joe@acme.org", Method::Rot13), ("wbr@acme.org", Method::Rot13), ("ann@acme.org", Method::Rot13)]
        );
        let elsewhere = find(html, &Document::parse(html), &Site::of("https://other.org/"));
        assert!(elsewhere.iter().all(|s| s.email.ends_with("@npzr.bet")), "{elsewhere:?}");
    }

    #[test]
    fn an_at_between_words_is_no_address() {
        for html in [
            "Ann @ Acme.com",
            "open @ acme.com",
            "Find us @ acme.com",
            "@acme.com",
            "Lunch @ Bistro.com",
            "see you @ other.com",
        ] {
            check(html, &[]);
        }
        for html in
            ["joe @ acme.com", "Email: info @ acme.com", "E-mail us: joe @ acme.com", "<p>Write to<p>info @ acme.com"]
        {
            assert_eq!(find(html, &Document::parse(html), &Site::of("https://acme.com/")).len(), 1, "{html}");
        }
    }

    #[test]
    fn addresses_that_are_no_contact_are_dropped() {
        check("<input placeholder='joe@acme.com'>", &[]);
        check("<img src='logo@2x.png'><script src='//cdn/x@1.2.3/y.js'></script>", &[]);
        check("<p>Website by Pixel: hi@pixelstudio.com</p>", &[]);
        check("<script>/* by Ann <ann@lib.org> */ Sentry('https://abc@sentry.io/1')</script>", &[]);
    }
}
