//! The main content of a page, section by section.

use std::fmt::Write;

use crate::lang::Lang;
use crate::site::emails::EmailSpot;
use crate::site::owner::{OwnerStatement, StatedOwner};
use crate::site::pages::PageKind;
use crate::site::plan::Plan;
use crate::site::renderer::Renderer;
use crate::site::text::{escape, fill};
use crate::words;

/// Step through the sentences so that a page never repeats one; coprime to the length of every list.
const STRIDE: usize = 7;

/// Writes the content of a page.
pub(crate) fn write(page: &mut Renderer<'_>, out: &mut String) {
    match page.page.kind {
        PageKind::Home => home(page, out),
        PageKind::Contact => contact(page, out),
        PageKind::About => about(page, out),
        PageKind::Team => team(page, out),
        PageKind::Services => services(page, out),
        PageKind::Book => book(page, out),
        PageKind::Order => order(page, out),
        PageKind::Shop => shop(page, out),
        PageKind::Imprint => imprint(page, out),
    }
}

fn home(page: &mut Renderer<'_>, out: &mut String) {
    let mut welcome = String::new();
    let count = page.random.between(5, 9);
    page.sentences(&mut welcome, count);
    if page.shows_booking_here() {
        page.booking(&mut welcome);
    }
    if page.shows_ordering_here() {
        page.ordering(&mut welcome);
    }
    page.section(out, "welcome", &welcome);
    services(page, out);
    let mut why = String::new();
    page.sentences(&mut why, 4);
    page.section(out, "why", &why);
    reviews(page, out);
    hours(page, out);
    share_buttons(page, out);
}

fn contact(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::new();
    page.sentences(&mut body, 3);
    page.address(&mut body);
    page.phone(&mut body);
    page.emails(&mut body, EmailSpot::Contact);
    page.owner_here(&mut body, PageKind::Contact);
    page.section(out, "contact", &body);
    form(page, out);
    hours(page, out);
}

fn about(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::new();
    let count = page.random.between(3, 6);
    page.sentences(&mut body, count);
    page.owner_here(&mut body, PageKind::About);
    let count = page.random.between(3, 7);
    page.sentences(&mut body, count);
    page.section(out, "about", &body);
    reviews(page, out);
}

fn team(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::new();
    let stated = page.plan.owner.filter(|stated| stated.statement == OwnerStatement::Card);
    if let Some(stated) = stated {
        card(&mut body, &stated.person.name(), stated.title);
        page.emails(&mut body, EmailSpot::Owner);
        page.sentences(&mut body, 1);
    }
    for (at, colleague) in page.plan.team.iter().enumerate() {
        card(&mut body, &colleague.person.name(), colleague.title);
        if at == 0 {
            page.emails(&mut body, EmailSpot::Staff);
        }
    }
    page.section(out, "team", &body);
    let mut more = String::new();
    page.sentences(&mut more, 4);
    page.section(out, "why", &more);
}

fn card(out: &mut String, name: &str, title: &str) {
    let _ = write!(
        out,
        "<div class=\"team-member\"><img src=\"/images/team.svg\" alt=\"\" width=\"240\" height=\"240\"><h3>{name}</h3><p class=\"position\">"
    );
    escape(out, title);
    out.push_str("</p></div>\n");
}

fn services(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::from("<ul class=\"services\">");
    for service in page.services() {
        let _ = write!(body, "<li><strong>{service}</strong></li>");
    }
    body.push_str("</ul>\n");
    page.sentences(&mut body, 4);
    page.section(out, "services", &body);
}

fn book(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::new();
    page.sentences(&mut body, 2);
    page.booking(&mut body);
    page.section(out, "book", &body);
    hours(page, out);
}

fn order(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::new();
    page.sentences(&mut body, 2);
    page.ordering(&mut body);
    // A link to the vendor's login page, which is not a sign of online ordering.
    body.push_str("<p class=\"small\"><a href=\"https://www.toasttab.com/login\">Staff login</a></p>\n");
    page.section(out, "order", &body);
    services(page, out);
}

fn shop(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::new();
    page.sentences(&mut body, 3);
    if page.plan.sells() {
        products(page, &mut body);
    }
    page.section(out, "shop", &body);
    services(page, out);
}

fn products(page: &mut Renderer<'_>, out: &mut String) {
    let cart = words::draw(&mut page.random, page.plan.lang, "cart");
    for service in page.services().iter().take(4) {
        let price = page.random.between(9, 120);
        let _ = writeln!(
            out,
            "<div class=\"product\"><img src=\"/images/product.svg\" alt=\"\"><h3>{service}</h3><span class=\"price\">{price}.00</span> <button type=\"button\">{cart}</button></div>"
        );
    }
}

fn imprint(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::from("<p>");
    escape(&mut body, &page.subject.business.name);
    body.push_str("</p>\n");
    page.owner_here(&mut body, PageKind::Imprint);
    page.address(&mut body);
    page.phone(&mut body);
    page.section(out, "imprint", &body);
    let mut more = String::new();
    page.sentences(&mut more, 5);
    page.section(out, "why", &more);
}

/// Testimonials with the names of customers, who do not work here.
fn reviews(page: &mut Renderer<'_>, out: &mut String) {
    let business = page.subject.business;
    if business.reviews.is_empty() {
        return;
    }
    let mut body = String::new();
    for review in &business.reviews {
        body.push_str("<blockquote class=\"review\"><p>&ldquo;");
        escape(&mut body, &review.text);
        let _ = writeln!(body, "&rdquo;</p><cite>{}</cite></blockquote>", review.author);
    }
    if page.plan.lang == Lang::English && page.random.percent(12.0) {
        body.push_str("<blockquote><p>&ldquo;Our whole office uses them.&rdquo;</p><p>Dana Whitfield</p><p>CEO, Harbor Freightways</p></blockquote>\n");
    }
    page.section(out, "reviews", &body);
}

fn hours(page: &mut Renderer<'_>, out: &mut String) {
    let mut body = String::from("<p class=\"hours\">");
    escape(&mut body, words::draw(&mut page.random, page.plan.lang, "hours"));
    body.push_str("</p>\n");
    page.section(out, "hours", &body);
}

/// A form with sample values that are not real mailboxes.
fn form(page: &mut Renderer<'_>, out: &mut String) {
    let sample = page.random.pick(&["you@example.com", "name@yourdomain.com", "john.doe@email.com", "your@email.com"]);
    let label = |at: usize| words::list(page.plan.lang, "form").get(at).copied().unwrap_or_default();
    let _ = write!(out, "<form class=\"contact-form\" method=\"post\" action=\"{}\">", page.page.path);
    let _ = write!(out, "<label>{} <input name=\"name\" placeholder=\"Jane Doe\"></label>", label(0));
    let _ = write!(out, "<label>{} <input type=\"email\" name=\"email\" placeholder=\"{sample}\"></label>", label(1));
    let _ = write!(out, "<label>{} <textarea name=\"message\" rows=\"6\"></textarea></label>", label(2));
    let _ = writeln!(out, "<button type=\"submit\">{}</button></form>", label(3));
}

/// Share buttons, which are not profiles of the business.
fn share_buttons(page: &mut Renderer<'_>, out: &mut String) {
    if page.random.percent(20.0) {
        out.push_str("<div class=\"share\"><a href=\"https://www.facebook.com/sharer/sharer.php?u=%2F\">Share</a> <a href=\"https://twitter.com/intent/tweet?url=%2F\">Tweet</a> <a href=\"https://pinterest.com/pin/create/button/?url=%2F\">Pin</a></div>\n");
    }
}

impl Renderer<'_> {
    /// Writes one section in the platform's markup.
    fn section(&mut self, out: &mut String, heading: &str, body: &str) {
        let title = words::draw(&mut self.random, self.plan.lang, &format!("heading.{heading}"));
        let section = self.plan.platform.template().section;
        fill(out, section, &mut |slot, out| {
            match slot {
                "heading" => self.sentence(out, title, ["", ""]),
                "body" => out.push_str(body),
                "number" => out.push_str("481516"),
                _ => return false,
            }
            true
        });
    }

    /// Writes sentences, three per paragraph, using all available ones before repeating any.
    fn sentences(&mut self, out: &mut String, count: usize) {
        let list = words::list(self.plan.lang, "sentence");
        let services = self.services();
        for at in 0..count.min(list.len()) {
            self.cursor += 1;
            let service =
                |turn: usize| services.get((self.cursor + turn) % services.len().max(1)).copied().unwrap_or("");
            if at % 3 == 0 {
                out.push_str(if at == 0 { "<p>" } else { "</p>\n<p>" });
            } else {
                out.push(' ');
            }
            self.sentence(out, list[self.cursor * STRIDE % list.len()], [service(0), service(1)]);
        }
        out.push_str("</p>\n");
    }

    fn sentence(&self, out: &mut String, text: &str, services: [&str; 2]) {
        let business = self.subject.business;
        fill(out, text, &mut |slot, out| {
            match slot {
                "name" => escape(out, &business.name),
                "town" => escape(out, &business.city),
                "service" => escape(out, services[0]),
                "service2" => escape(out, services[1]),
                _ => return false,
            }
            true
        });
    }

    /// The services of the business: by trade, by group, or generic.
    fn services(&self) -> &'static [&'static str] {
        let category = self.subject.business.category;
        let tag = self.plan.lang.tag();
        [category.slug, category.group, "any"]
            .iter()
            .map(|name| words::section(&format!("{tag}.service.{name}")))
            .find(|list| !list.is_empty())
            .unwrap_or(&[])
    }

    /// Writes who owns the business, if this page states it.
    fn owner_here(&self, out: &mut String, page: PageKind) {
        let Some(stated) = self.plan.owner.filter(|stated| stated.page == page) else { return };
        write_owner(out, &stated, self.plan, &self.subject.business.name);
        if stated.statement != OwnerStatement::Card {
            self.emails(out, EmailSpot::Owner);
        }
    }

    fn shows_booking_here(&mut self) -> bool {
        !self.plan.has(PageKind::Book) || self.random.percent(40.0)
    }

    fn shows_ordering_here(&mut self) -> bool {
        !self.plan.has(PageKind::Order) || self.random.percent(60.0)
    }

    fn booking(&self, out: &mut String) {
        if let Some(tool) = &self.plan.booking {
            self.tool(out, tool);
        }
    }

    fn ordering(&self, out: &mut String) {
        if let Some(tool) = &self.plan.ordering {
            self.tool(out, tool);
        }
    }
}

/// Writes statements in prose; cards and structured data are written elsewhere.
fn write_owner(out: &mut String, stated: &StatedOwner, plan: &Plan, business: &str) {
    let mut name = String::new();
    escape(&mut name, business);
    let (person, year) = (stated.person.name(), plan.founded);
    let text = match (stated.statement, plan.lang) {
        (OwnerStatement::Sentence, _) => format!("{person} is the owner of {name} and is there most days."),
        (OwnerStatement::Founded, Lang::Spanish) => format!("El negocio fue fundado por {person} en {year}."),
        (OwnerStatement::Founded, _) => {
            format!("{name} was founded by {person} in {year}, with one van and one phone.")
        }
        (OwnerStatement::Greeting, _) => format!("Hi, my name is {person} and I am the owner of {name}."),
        (OwnerStatement::Line, _) => format!("{person}, {}", stated.title.replace('&', "&amp;")),
        (OwnerStatement::Label, Lang::French) => format!("{} : {person}", stated.title),
        (OwnerStatement::Label, _) => format!("{}: {person}", stated.title),
        (OwnerStatement::Card | OwnerStatement::JsonLd, _) => return,
    };
    out.push_str("<p>");
    out.push_str(&text);
    out.push_str("</p>\n");
}
