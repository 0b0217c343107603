//! Composes the e-mail about the end of a search: the same bytes each time, with all of its content escaped.

use std::time::{Duration, SystemTime};

use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use url::Url;

use super::{Ending, EndingKind, PostError};
use crate::account::Email;
use crate::clock::Moment;

/// Characters kept of each text that a user typed.
const TYPED_CHARS_MAX: usize = 120;
/// Characters kept of the reason for a failure.
const REASON_CHARS_MAX: usize = 1_000;

/// The sender of e-mails, and the base of their links.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    pub(super) from: Mailbox,
    pub(super) base: Url,
}

/// Composes the message to `to`. `ended` is the time at which the search ended.
pub(super) fn compose(ending: &Ending, to: &Email, ended: Moment, sender: &Sender) -> Result<Message, PostError> {
    let address = to.as_str().parse().map_err(|_| PostError::Form)?;
    let facts = Facts::of(ending, &sender.base);
    // A message that is sent again has the same id, so that mail servers can drop the duplicate.
    let id = format!("<{}@{}>", ending.search, sender.from.email.domain());
    let parts = MultiPart::alternative().boundary(format!("=_{}", ending.search));
    let parts = parts.singlepart(SinglePart::plain(facts.plain())).singlepart(SinglePart::html(facts.html()));
    let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
    Message::builder()
        .from(sender.from.clone())
        .to(Mailbox::new(None, address))
        .subject(facts.subject())
        .message_id(Some(id))
        .date(SystemTime::UNIX_EPOCH + Duration::from_micros(ended.micros().unsigned_abs()))
        // Keeps out-of-office replies away (RFC 3834).
        .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
        .multipart(parts)
        .map_err(|_| PostError::Form)
}

/// The content of the e-mail.
struct Facts {
    headline: String,
    leads: String,
    lines: Vec<(&'static str, String)>,
    reason: Option<String>,
    link: String,
}

impl Facts {
    fn of(ending: &Ending, base: &Url) -> Facts {
        let what = format!("{} in {}", one_line(&ending.industry), one_line(&ending.location));
        let headline = match ending.outcome {
            EndingKind::Done => format!("Your search for {what} is done"),
            EndingKind::Cancelled => format!("Your search for {what} was stopped"),
            EndingKind::Failed => format!("Your search for {what} failed"),
        };
        let leads = if ending.leads_found == 1 { "1 lead".into() } else { format!("{} leads", ending.leads_found) };
        let lines = vec![
            ("Leads", format!("{} of at most {}", ending.leads_found, ending.requested)),
            ("With an email", ending.emails_found.to_string()),
            ("Credits spent", ending.leads_found.to_string()),
        ];
        let reason = ending.failure_reason.as_deref().map(|reason| shortened(reason, REASON_CHARS_MAX));
        let link = format!("{}/app/search/{}", base.as_str().trim_end_matches('/'), ending.search);
        Facts { headline, leads, lines, reason, link }
    }

    fn subject(&self) -> String {
        format!("{}: {}", self.headline, self.leads)
    }

    fn plain(&self) -> String {
        let mut text = format!("{}.\n\n", self.headline);
        for (name, value) in &self.lines {
            text.push_str(&format!("{name}: {value}\n"));
        }
        if let Some(reason) = &self.reason {
            text.push_str(&format!("\n{reason}\n"));
        }
        text.push_str(&format!("\nSee the leads: {}\n\n-- \n{WHY}\n", self.link));
        text
    }

    fn html(&self) -> String {
        let row = |(name, value): &(&str, String)| {
            format!("<tr><td style=\"padding-right:1em\">{}</td><td>{}</td></tr>", escaped(name), escaped(value))
        };
        let rows: String = self.lines.iter().map(row).collect();
        let reason = self.reason.as_deref().map(|reason| format!("<p>{}</p>", escaped(reason))).unwrap_or_default();
        let (headline, link) = (escaped(&self.headline), escaped(&self.link));
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{headline}</title></head>\
             <body style=\"font-family:sans-serif\"><p>{headline}.</p><table>{rows}</table>{reason}\
             <p><a href=\"{link}\">See the leads</a></p><p style=\"color:#666\">{WHY}</p></body></html>\n"
        )
    }
}

/// Tells recipients why they get this.
const WHY: &str = "Canvass sent this because the search was started with notify.";

/// User input on one line of bounded length.
fn one_line(typed: &str) -> String {
    shortened(typed, TYPED_CHARS_MAX)
}

fn shortened(text: &str, chars: usize) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars { line } else { line.chars().take(chars).chain(['…']).collect() }
}

/// Text escaped for HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{AccountId, SearchId};

    fn sender() -> Sender {
        let from = "Canvass <canvass@localhost>".parse().unwrap();
        Sender { from, base: Url::parse("http://127.0.0.1:8080").unwrap() }
    }

    fn ending(outcome: EndingKind) -> Ending {
        Ending {
            search: SearchId::parse("019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11").unwrap(),
            account: AccountId::parse("019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d12").unwrap(),
            outcome,
            industry: "dentist".into(),
            location: "Austin, TX".into(),
            requested: 50,
            leads_found: 25,
            emails_found: 17,
            failure_reason: None,
        }
    }

    fn written(ending: &Ending) -> String {
        let to = Email::parse("ada@example.com").unwrap();
        let message = compose(ending, &to, Moment::from_micros(1_794_708_184_123_456), &sender()).unwrap();
        // Long lines are folded on their way.
        String::from_utf8(message.formatted()).unwrap().replace("=\r\n", "")
    }

    #[test]
    fn the_same_end_is_the_same_message() {
        let text = written(&ending(EndingKind::Done));
        assert_eq!(text, written(&ending(EndingKind::Done)));
        for part in [
            "Message-ID: <019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11@localhost>\r\n",
            "Subject: Your search for dentist in Austin, TX is done: 25 leads\r\n",
            "To: ada@example.com\r\n",
            "Date: Sun, 15 Nov 2026 02:03:04 +0000\r\n",
            "Auto-Submitted: auto-generated\r\n",
            "Content-Type: multipart/alternative;",
            "Leads: 25 of at most 50\r\nWith an email: 17\r\n",
            "http://127.0.0.1:8080/app/search/019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
        assert!(written(&ending(EndingKind::Cancelled)).contains("was stopped: 25 leads"));
    }

    #[test]
    fn hostile_words_change_nothing_but_the_words() {
        let mut ending = ending(EndingKind::Failed);
        ending.location = "<script>alert(1)</script>\r\nBcc: eve@evil.test\r\n\r\n=_x".into();
        ending.industry = "x".repeat(10_000);
        ending.failure_reason = Some("<img src=x onerror=\"alert('1')\">".into());
        let text = written(&ending);
        assert!(!text.contains("\r\nBcc"), "{text}");
        let html = Facts::of(&ending, &sender().base).html();
        assert!(!html.contains("<script") && !html.contains("<img") && html.contains("&lt;script&gt;"), "{html}");
        assert!(html.contains("onerror=&quot;alert(&#39;1&#39;)&quot;"), "{html}");
        let head = text.split("\r\n\r\n").next().unwrap();
        assert!(head.lines().all(|line| line.len() <= 998), "{head}");
    }
}
