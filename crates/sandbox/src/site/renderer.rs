//! What the parts of a page share: its inputs, and the placeholders of the templates.

use std::fmt::Write;

use crate::lang::Lang;
use crate::phones;
use crate::random::Random;
use crate::site::condition::SiteCondition;
use crate::site::emails::{self, EmailSpot};
use crate::site::filler;
use crate::site::pages::{PageKind, PagePlan};
use crate::site::plan::{Plan, Shop, Subject, Viewport};
use crate::site::platform::Platform;
use crate::site::structured;
use crate::site::style;
use crate::site::text::{escape, fill};
use crate::site::tools::{self, Tool};
use crate::words;

/// Additional bytes of a huge page.
const HUGE_BYTES: usize = 3 * 1024 * 1024;

/// The inputs of one page.
pub(crate) struct Renderer<'r> {
    pub(crate) subject: &'r Subject<'r>,
    pub(crate) plan: &'r Plan,
    pub(crate) page: &'r PagePlan,
    pub(crate) random: Random,
    /// How many of the available sentences the page has used.
    pub(crate) cursor: usize,
}

/// Whether the advertising pixels are on the page this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pixels {
    Shown,
    Missing,
}

impl Renderer<'_> {
    /// Selects among equivalent forms.
    pub(crate) fn look(&self) -> u64 {
        self.plan.look
    }

    pub(super) fn slot(&self, slot: &str, out: &mut String) -> bool {
        let look = self.look();
        match slot {
            "lang" => out.push_str(self.plan.lang.tag()),
            "title" => self.title(out),
            "description" => self.description(out),
            "robots" if self.plan.condition == SiteCondition::NoIndex => out.push_str("noindex, nofollow"),
            "robots" => out.push_str("index, follow"),
            "viewport" => self.viewport(out),
            "css" => out.push_str(filler::styles(look, self.weight(look))),
            "js" => out.push_str(filler::scripts(look, self.weight(look >> 20) * 2 / 3)),
            "nav" => self.menu(out),
            "footer" => self.footer(out),
            "end" => self.end(out),
            "host" => escape(out, &self.plan.mail_domain),
            "digit" => push(out, look % 9 + 1),
            "year" => push(out, self.plan.year as u64),
            _ => return self.account(slot, out),
        }
        true
    }

    /// Fills placeholders of the business's account with a vendor, which tools have too.
    fn account(&self, slot: &str, out: &mut String) -> bool {
        match slot {
            "name" => escape(out, &self.subject.business.name),
            "slug" => out.push_str(&self.plan.slug),
            "number" => push(out, 100_000_000 + self.look() % 899_999_999),
            "id" => out.extend(self.subject.business.id.chars().take(10).map(|letter| letter.to_ascii_uppercase())),
            "book" | "order" | "cart" => out.push_str(self.label(slot)),
            _ => return false,
        }
        true
    }

    fn label(&self, name: &str) -> &'static str {
        let labels = words::list(self.plan.lang, name);
        labels.get((self.look() % labels.len().max(1) as u64) as usize).copied().unwrap_or_default()
    }

    /// Bytes of filler; some sites are light, some heavy.
    fn weight(&self, look: u64) -> usize {
        match self.plan.platform {
            Platform::Handmade => 400 + (look % 2_500) as usize,
            Platform::Framer | Platform::Modern => 1_500 + (look % 9_000) as usize,
            _ => 2_500 + (look % 15_000) as usize,
        }
    }

    fn title(&self, out: &mut String) {
        let business = self.subject.business;
        let title = match (self.page.kind, self.plan.lang) {
            (PageKind::Home, Lang::English) => {
                format!("{} | {} in {}", business.name, business.category.name, business.city)
            }
            (PageKind::Home, _) => format!("{} | {}", business.name, business.city),
            _ => format!("{} - {}", self.page.label, business.name),
        };
        escape(out, &title);
    }

    fn description(&self, out: &mut String) {
        let business = self.subject.business;
        escape(out, &format!("{}, {}, {}", business.name, business.city, business.state));
    }

    fn viewport(&self, out: &mut String) {
        if self.plan.viewport == Viewport::Set {
            out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        }
    }

    fn menu(&self, out: &mut String) {
        let template = self.plan.platform.template();
        for page in &self.plan.pages {
            fill(out, template.item.trim_end(), &mut |slot, out| {
                match slot {
                    "href" => out.push_str(&page.path),
                    "label" => escape(out, page.label),
                    _ => return self.slot(slot, out),
                }
                true
            });
            out.push('\n');
        }
    }

    pub(super) fn head(&self, out: &mut String, pixels: Pixels) {
        let _ = writeln!(out, "<link rel=\"stylesheet\" href=\"{}\">", style::SHEET_PATH);
        if matches!(self.page.kind, PageKind::Home | PageKind::Contact) {
            structured::write(out, self.subject.business, self.plan);
        }
        for tool in &self.plan.analytics {
            self.tool(out, tool);
        }
        for tool in self.plan.ads.iter().filter(|_| pixels == Pixels::Shown) {
            self.tool(out, tool);
        }
    }

    fn end(&self, out: &mut String) {
        if let Some(tool) = tools::shop(self.look(), self.plan.platform).filter(|_| self.plan.shop == Shop::Open) {
            self.tool(out, &tool);
        }
        if let Some(tool) = &self.plan.chat {
            self.tool(out, tool);
        }
        if self.plan.condition == SiteCondition::Huge && self.page.kind == PageKind::Home {
            self.pad(out);
        }
    }

    /// Padding of a huge page, at its end like galleries and data.
    fn pad(&self, out: &mut String) {
        let end = out.len() + HUGE_BYTES;
        out.push_str("<style>");
        while out.len() < end {
            out.push_str(filler::styles(out.len() as u64, 40_000));
        }
        out.push_str("</style>");
    }

    /// Writes a tool with the business's account.
    pub(crate) fn tool(&self, out: &mut String, tool: &Tool) {
        fill(out, tool.markup, &mut |slot, out| self.account(slot, out));
        out.push('\n');
    }

    /// Writes the addresses of a spot, each in its own paragraph.
    pub(crate) fn emails(&self, out: &mut String, spot: EmailSpot) {
        for email in self.plan.emails.iter().filter(|email| email.spot == spot) {
            let before = out.len();
            out.push_str("<p class=\"email\">");
            let start = out.len();
            emails::write(out, email, self.look() >> 3);
            if out.len() == start {
                out.truncate(before);
            } else {
                out.push_str("</p>\n");
            }
        }
    }

    /// Writes the phone number as a link.
    pub(crate) fn phone(&self, out: &mut String) {
        if let Some(phone) = &self.plan.phone {
            let shown = phones::written(phone, (self.look() >> 5) as usize);
            let _ = writeln!(out, "<p class=\"phone\"><a href=\"tel:{phone}\">{shown}</a></p>");
        }
    }

    /// Writes the postal address.
    pub(crate) fn address(&self, out: &mut String) {
        let business = self.subject.business;
        out.push_str("<p class=\"address\">");
        escape(out, &business.street);
        out.push_str("<br>");
        escape(out, &business.city);
        out.push_str(", ");
        escape(out, &business.state);
        if let Some(code) = &business.postal_code {
            out.push(' ');
            out.push_str(code);
        }
        out.push_str("</p>\n");
    }

    fn footer(&self, out: &mut String) {
        out.push_str("<div class=\"footer-inner\">");
        self.address(out);
        self.phone(out);
        self.emails(out, EmailSpot::Footer);
        self.socials(out);
        let _ = write!(out, "<p class=\"copyright\">&copy; {} ", self.plan.year);
        escape(out, &self.subject.business.name);
        out.push_str("</p>\n");
        self.credit(out);
        out.push_str("</div>");
    }

    fn socials(&self, out: &mut String) {
        out.push_str("<div class=\"social-icons\">");
        for (network, url) in &self.plan.socials {
            let _ = write!(
                out,
                "<a class=\"social {network}\" href=\"{url}\" target=\"_blank\" rel=\"noopener\" aria-label=\"{network}\"><svg viewBox=\"0 0 24 24\"><path d=\"M4 4h16v16H4z\"/></svg></a>"
            );
        }
        out.push_str("</div>\n");
    }

    /// Credits the web designer, who is not a contact of the business.
    fn credit(&self, out: &mut String) {
        if !(self.look() >> 9).is_multiple_of(3) {
            return;
        }
        let line = words::list(self.plan.lang, "designer");
        let Some(line) = line.get((self.look() >> 11) as usize % line.len().max(1)) else { return };
        let Some((name, email)) = line.split_once(" = ") else { return };
        let words = words::list(self.plan.lang, "credit");
        let word = words.get((self.look() >> 13) as usize % words.len().max(1)).copied().unwrap_or("Website by");
        let _ = write!(out, "<p class=\"credit\">{word} <a href=\"mailto:{email}\">");
        escape(out, name);
        out.push_str("</a></p>\n");
    }

    /// Damages the markup of some websites.
    pub(super) fn spoil(&self, page: String) -> String {
        if self.plan.condition != SiteCondition::BrokenMarkup {
            return page;
        }
        let open = page.replace("</div>", "").replace("</p>", "").replace("</li>", "");
        open.replace("</body>", "<b><i></b></i><table><tr><td></span></body>").replace("</html>", "")
    }
}

fn push(out: &mut String, number: u64) {
    let _ = write!(out, "{number}");
}
