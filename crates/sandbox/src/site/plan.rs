//! The plan of a website: everything its pages will say, decided before a word is written. Pages and truth are both
//! made from it, so that they cannot disagree.

use crate::business::{Business, HOST_ENDING, Website, owner_of};
use crate::chance::{Chance, Purpose};
use crate::code::Key;
use crate::lang::Lang;
use crate::names;
use crate::phones;
use crate::site::emails::{EmailKind, HiddenBy, PlannedEmail, Spot, hiding};
use crate::site::manner::Manner;
use crate::site::owner::{self, Colleague, Told};
use crate::site::pages::{self, PageKind, PagePlan};
use crate::site::platform::Platform;
use crate::site::tools::{self, Tool};
use crate::trouble::Trouble;
use crate::words;

/// The year that up-to-date websites show.
const THIS_YEAR: usize = 2026;

/// Pages that every website has at least, the first one included.
const PAGES_MIN: usize = 3;

/// Whose website it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'s> {
    pub(crate) seed: u64,
    pub(crate) key: Key,
    pub(crate) business: &'s Business,
    pub(crate) trouble: Trouble,
}

/// Whether a page is made for phones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Viewport {
    Set,
    Missing,
}

/// Structured data on the first page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonLd {
    None,
    Plain,
    Graph,
    Broken,
}

/// Whether something can be bought on the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shop {
    None,
    Open,
}

/// The plan of a website at one age.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) lang: Lang,
    pub(crate) manner: Manner,
    pub(crate) platform: Platform,
    /// Picks among forms that mean the same.
    pub(crate) look: u64,
    /// What the name of the site is: the slug, without the code.
    pub(crate) slug: String,
    /// The domain of its mailboxes.
    pub(crate) mail_domain: String,
    pub(crate) pages: Vec<PagePlan>,
    pub(crate) emails: Vec<PlannedEmail>,
    pub(crate) phone: Option<String>,
    pub(crate) owner: Option<Told>,
    pub(crate) team: Vec<Colleague>,
    pub(crate) socials: Vec<(&'static str, String)>,
    pub(crate) shop: Shop,
    pub(crate) booking: Option<Tool>,
    pub(crate) ordering: Option<Tool>,
    pub(crate) chat: Option<Tool>,
    pub(crate) ads: Vec<Tool>,
    pub(crate) analytics: Vec<Tool>,
    pub(crate) year: usize,
    pub(crate) founded: usize,
    pub(crate) viewport: Viewport,
    pub(crate) json_ld: JsonLd,
}

impl Plan {
    /// The plan of a website as it first was.
    pub(crate) fn draw(subject: &Subject<'_>) -> Plan {
        let Subject { seed, key, business, trouble } = *subject;
        let lang = Lang::of(business.country);
        let manner = Manner::draw(&mut Chance::of(seed, Purpose::Hostility, &key.keys()), trouble, key.number);
        let mut chance = Chance::of(seed, Purpose::Site, &key.keys());
        let platform = Platform::draw(&mut chance, business.category.group);
        let slug = names::slug(&business.name);
        let mut plan = Plan {
            lang,
            manner,
            platform,
            look: chance.next(),
            mail_domain: mail_domain(business, &slug),
            slug,
            pages: Vec::new(),
            emails: Vec::new(),
            phone: phone(&mut chance, subject),
            owner: None,
            team: Vec::new(),
            socials: Vec::new(),
            shop: Shop::None,
            booking: None,
            ordering: None,
            chat: None,
            ads: Vec::new(),
            analytics: Vec::new(),
            year: year(&mut chance, platform),
            founded: chance.between(1961, 2021),
            viewport: viewport(&mut chance, platform),
            json_ld: json_ld(&mut chance, platform, manner),
        };
        plan.draw_tools(&mut chance, subject);
        plan.draw_pages(&mut chance, subject);
        plan.draw_people(&mut chance, subject);
        plan.draw_emails(&mut chance);
        plan.draw_socials(&mut chance);
        plan
    }

    /// Whether the site has such a page.
    pub(crate) fn has(&self, kind: PageKind) -> bool {
        self.pages.iter().any(|page| page.kind == kind)
    }

    /// Whether something can be bought.
    pub(crate) fn sells(&self) -> bool {
        self.shop == Shop::Open || self.platform.is_shop()
    }

    fn draw_tools(&mut self, chance: &mut Chance, subject: &Subject<'_>) {
        let group = subject.business.category.group;
        if chance.percent(shop_share(group)) {
            self.shop = Shop::Open;
        }
        if chance.percent(booking_share(group)) {
            self.booking = tools::booking(chance, self.lang, group);
        }
        if group == "food" && self.platform != Platform::SquareOnline && chance.percent(38.0) {
            self.ordering = tools::ordering(chance, self.lang);
        }
        if chance.percent(14.0) {
            self.chat = tools::draw(chance, "tool.chat");
        }
        let pixels = [0, 0, 0, 0, 0, 0, 1, 1, 2, 3];
        for _ in 0..chance.pick(&pixels).max(usize::from(subject.trouble == Trouble::Flicker)) {
            add(&mut self.ads, tools::pixel(chance));
        }
        let old = self.platform == Platform::Handmade;
        let section = if old { "tool.analytics.old" } else { "tool.analytics" };
        if chance.percent(if old { 35.0 } else { 58.0 }) {
            let first = words::section(section).first().copied().and_then(|line| line.split_once(" = "));
            let usual = first.map(|(slug, markup)| Tool { slug, markup });
            let drawn = tools::draw(chance, section);
            add(&mut self.analytics, if chance.percent(70.0) { usual } else { drawn });
        }
        if !old && chance.percent(12.0) {
            add(&mut self.analytics, tools::draw(chance, section));
        }
    }

    fn draw_pages(&mut self, chance: &mut Chance, subject: &Subject<'_>) {
        let mut kinds = Vec::new();
        let is_branch = subject.business.chain.is_some();
        let mut may = |kind: PageKind, share: f64| {
            if chance.percent(share) {
                kinds.push(kind);
            }
        };
        may(PageKind::About, 82.0);
        may(PageKind::Services, 72.0);
        may(PageKind::Team, if is_branch { 10.0 } else { 45.0 });
        // A reader takes few pages: one of these three at most.
        if self.ordering.is_some() {
            may(PageKind::Order, 80.0);
        } else if self.booking.is_some() {
            may(PageKind::Book, 75.0);
        } else if self.sells() {
            may(PageKind::Shop, 90.0);
        }
        may(PageKind::Contact, 96.0);
        if matches!(self.lang, Lang::German | Lang::French) {
            may(PageKind::Imprint, if self.lang == Lang::German { 97.0 } else { 70.0 });
        }
        for kind in [PageKind::Services, PageKind::Contact] {
            if kinds.len() < PAGES_MIN - 1 && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        self.pages = pages::draw(chance, self.lang, self.platform, &kinds);
    }

    fn draw_people(&mut self, chance: &mut Chance, subject: &Subject<'_>) {
        let person = owner_of(subject.seed, subject.key, self.lang);
        let is_branch = subject.business.chain.is_some();
        if !is_branch && chance.percent(66.0) {
            self.owner = owner::draw(chance, person, self.lang, &|page| self.may_tell(page));
        }
        if self.has(PageKind::Team) {
            self.team = owner::team(chance, self.lang, subject.business.category.group, person);
        }
    }

    /// Whether facts may stand on a page: not on one that breaks off, nor in structured data that is none.
    fn may_tell(&self, page: PageKind) -> bool {
        match page {
            PageKind::About => self.has(page) && self.manner != Manner::Truncated,
            PageKind::Home => matches!(self.json_ld, JsonLd::Plain | JsonLd::Graph),
            _ => self.has(page),
        }
    }

    fn draw_emails(&mut self, chance: &mut Chance) {
        let spot = if self.has(PageKind::Contact) && chance.percent(55.0) { Spot::Contact } else { Spot::Footer };
        let kind = chance.below(100);
        let role = words::draw(chance, self.lang, "role");
        if kind < 64 {
            let address = format!("{role}@{}", self.mail_domain);
            self.add_email(chance, (address, EmailKind::Role), spot);
        } else if kind < 78 {
            let handle: String = self.slug.chars().filter(|letter| *letter != '-').collect();
            let house = chance.pick(&["gmail", "yahoo", "hotmail", "outlook"]);
            self.add_email(chance, (format!("{handle}@{house}.example"), EmailKind::Generic), spot);
        }
        let beside_owner = self.owner.filter(|told| told.telling != owner::Telling::JsonLd);
        if let Some(told) = beside_owner.filter(|_| chance.percent(38.0)) {
            let address = personal(chance, told.person.first, told.person.last, &self.mail_domain);
            self.add_email(chance, (address, EmailKind::Personal), Spot::Owner);
        }
        if let Some(first) = self.team.first().copied().filter(|_| chance.percent(35.0)) {
            let address = personal(chance, first.person.first, first.person.last, &self.mail_domain);
            self.add_email(chance, (address, EmailKind::Personal), Spot::Staff);
        }
    }

    fn add_email(&mut self, chance: &mut Chance, (address, kind): (String, EmailKind), spot: Spot) {
        let drawn = hiding(chance);
        let in_data = matches!(self.json_ld, JsonLd::Plain | JsonLd::Graph) && kind != EmailKind::Personal;
        let hidden_by = if drawn == HiddenBy::JsonLd && !in_data { HiddenBy::Mailto } else { drawn };
        if self.emails.iter().all(|known| known.address != address) {
            self.emails.push(PlannedEmail { address, kind, hidden_by, spot });
        }
    }

    fn draw_socials(&mut self, chance: &mut Chance) {
        let handle: String = self.slug.chars().filter(|letter| *letter != '-').collect();
        let short: String = handle.chars().take(15).collect();
        let all = [
            ("facebook", format!("https://www.facebook.com/{handle}"), 58.0),
            ("instagram", format!("https://www.instagram.com/{handle}"), 46.0),
            ("linkedin", format!("https://www.linkedin.com/company/{}", self.slug), 14.0),
            ("x", format!("https://x.com/{short}"), 12.0),
            ("youtube", format!("https://www.youtube.com/@{handle}"), 11.0),
            ("tiktok", format!("https://www.tiktok.com/@{handle}"), 9.0),
            ("yelp", format!("https://www.yelp.com/biz/{}", self.slug), 10.0),
        ];
        self.socials =
            all.into_iter().filter(|(_, _, share)| chance.percent(*share)).map(|(name, url, _)| (name, url)).collect();
    }
}

/// Adds a tool that is not there yet.
pub(crate) fn add(tools: &mut Vec<Tool>, tool: Option<Tool>) {
    if let Some(tool) = tool.filter(|tool| tools.iter().all(|known| known.slug != tool.slug)) {
        tools.push(tool);
    }
}

/// The mailboxes' domain: the site's own name under an ending that no real mailbox has.
fn mail_domain(business: &Business, slug: &str) -> String {
    let label = match &business.website {
        Website::Own { host } => host.strip_suffix(HOST_ENDING).unwrap_or(host),
        _ => slug,
    };
    format!("{label}.example")
}

/// Half of those whose listing has no number show one on their site.
fn phone(chance: &mut Chance, subject: &Subject<'_>) -> Option<String> {
    let Subject { seed, key, business, .. } = *subject;
    let shows = chance.percent(50.0);
    business.phone.clone().or_else(|| phones::draw(seed, key, &business.state, business.country).filter(|_| shows))
}

pub(crate) fn personal(chance: &mut Chance, first: &str, last: &str, domain: &str) -> String {
    let (first, last) = (names::slug(first), names::slug(last));
    match chance.below(3) {
        0 => format!("{first}@{domain}"),
        1 => format!("{first}.{last}@{domain}"),
        _ => format!("{}{last}@{domain}", &first[..1]),
    }
}

fn year(chance: &mut Chance, platform: Platform) -> usize {
    match platform {
        Platform::Handmade => chance.between(2004, 2016),
        _ if chance.percent(60.0) => THIS_YEAR,
        _ => chance.between(2016, THIS_YEAR - 1),
    }
}

fn viewport(chance: &mut Chance, platform: Platform) -> Viewport {
    let missing = platform == Platform::Handmade || chance.percent(4.0);
    if missing { Viewport::Missing } else { Viewport::Set }
}

fn json_ld(chance: &mut Chance, platform: Platform, manner: Manner) -> JsonLd {
    let drawn = chance.below(100);
    match drawn {
        _ if manner == Manner::BrokenJsonLd => JsonLd::Broken,
        _ if platform == Platform::Handmade => JsonLd::None,
        0..=39 => JsonLd::Plain,
        40..=54 => JsonLd::Graph,
        _ => JsonLd::None,
    }
}

fn shop_share(group: &str) -> f64 {
    match group {
        "shop" => 38.0,
        "beauty" | "fitness" | "food" => 8.0,
        _ => 3.0,
    }
}

fn booking_share(group: &str) -> f64 {
    match group {
        "lodging" => 55.0,
        "fitness" => 48.0,
        "beauty" => 45.0,
        "health" => 36.0,
        "pets" => 30.0,
        "food" | "auto" => 22.0,
        "professional" | "home" => 18.0,
        "education" => 14.0,
        _ => 6.0,
    }
}
