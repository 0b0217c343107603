//! The plan of a website: everything its pages will state, decided before a word is written. Pages and ground truth are both
//! derived from it, so they cannot disagree.

use crate::business::{Business, HOST_ENDING, Website, owner_of};
use crate::code::Key;
use crate::fault::Fault;
use crate::lang::Lang;
use crate::names;
use crate::phones;
use crate::random::{Purpose, Random};
use crate::site::condition::SiteCondition;
use crate::site::emails::{EmailKind, EmailSpot, HiddenBy, PlannedEmail, hiding};
use crate::site::owner::{self, Colleague, StatedOwner};
use crate::site::pages::{self, PageKind, PagePlan};
use crate::site::platform::Platform;
use crate::site::tools::{self, Tool};
use crate::words;

/// The year on up-to-date websites.
const THIS_YEAR: usize = 2026;

/// Fewest pages per website, including the home page.
const PAGES_MIN: usize = 3;

/// The business a website belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'s> {
    pub(crate) seed: u64,
    pub(crate) key: Key,
    pub(crate) business: &'s Business,
    pub(crate) fault: Fault,
}

/// Whether a page declares a viewport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Viewport {
    Set,
    Missing,
}

/// Structured data on the home page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonLd {
    None,
    Plain,
    Graph,
    Broken,
}

/// Whether the site sells something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shop {
    None,
    Open,
}

/// The plan of a website at one age.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) lang: Lang,
    pub(crate) condition: SiteCondition,
    pub(crate) platform: Platform,
    /// Selects among equivalent forms.
    pub(crate) look: u64,
    /// The name of the site in its host name, without the code.
    pub(crate) slug: String,
    /// The domain of its mailboxes.
    pub(crate) mail_domain: String,
    pub(crate) pages: Vec<PagePlan>,
    pub(crate) emails: Vec<PlannedEmail>,
    pub(crate) phone: Option<String>,
    pub(crate) owner: Option<StatedOwner>,
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
    /// The plan of a website at age zero.
    pub(crate) fn draw(subject: &Subject<'_>) -> Plan {
        let Subject { seed, key, business, fault } = *subject;
        let lang = Lang::of(business.country);
        let condition = SiteCondition::draw(&mut Random::of(seed, Purpose::Hostility, &key.keys()), fault, key.number);
        let mut random = Random::of(seed, Purpose::Site, &key.keys());
        let platform = Platform::draw(&mut random, business.category.group);
        let slug = names::slug(&business.name);
        let mut plan = Plan {
            lang,
            condition,
            platform,
            look: random.next(),
            mail_domain: mail_domain(business, &slug),
            slug,
            pages: Vec::new(),
            emails: Vec::new(),
            phone: phone(&mut random, subject),
            owner: None,
            team: Vec::new(),
            socials: Vec::new(),
            shop: Shop::None,
            booking: None,
            ordering: None,
            chat: None,
            ads: Vec::new(),
            analytics: Vec::new(),
            year: year(&mut random, platform),
            founded: random.between(1961, 2021),
            viewport: viewport(&mut random, platform),
            json_ld: json_ld(&mut random, platform, condition),
        };
        plan.draw_tools(&mut random, subject);
        plan.draw_pages(&mut random, subject);
        plan.draw_people(&mut random, subject);
        plan.draw_emails(&mut random);
        plan.draw_socials(&mut random);
        plan
    }

    pub(crate) fn has(&self, kind: PageKind) -> bool {
        self.pages.iter().any(|page| page.kind == kind)
    }

    /// Whether something can be bought.
    pub(crate) fn sells(&self) -> bool {
        self.shop == Shop::Open || self.platform.is_shop()
    }

    fn draw_tools(&mut self, random: &mut Random, subject: &Subject<'_>) {
        let group = subject.business.category.group;
        if random.percent(shop_share(group)) {
            self.shop = Shop::Open;
        }
        if random.percent(booking_share(group)) {
            self.booking = tools::booking(random, self.lang, group);
        }
        if group == "food" && self.platform != Platform::SquareOnline && random.percent(38.0) {
            self.ordering = tools::ordering(random, self.lang);
        }
        if random.percent(14.0) {
            self.chat = tools::draw(random, "tool.chat");
        }
        let pixels = [0, 0, 0, 0, 0, 0, 1, 1, 2, 3];
        for _ in 0..random.pick(&pixels).max(usize::from(subject.fault == Fault::Flicker)) {
            add(&mut self.ads, tools::pixel(random));
        }
        let old = self.platform == Platform::Handmade;
        let section = if old { "tool.analytics.old" } else { "tool.analytics" };
        if random.percent(if old { 35.0 } else { 58.0 }) {
            let first = words::section(section).first().copied().and_then(|line| line.split_once(" = "));
            let usual = first.map(|(slug, markup)| Tool { slug, markup });
            let drawn = tools::draw(random, section);
            add(&mut self.analytics, if random.percent(70.0) { usual } else { drawn });
        }
        if !old && random.percent(12.0) {
            add(&mut self.analytics, tools::draw(random, section));
        }
    }

    fn draw_pages(&mut self, random: &mut Random, subject: &Subject<'_>) {
        let mut kinds = Vec::new();
        let is_branch = subject.business.chain.is_some();
        let mut may = |kind: PageKind, share: f64| {
            if random.percent(share) {
                kinds.push(kind);
            }
        };
        may(PageKind::About, 82.0);
        may(PageKind::Services, 72.0);
        may(PageKind::Team, if is_branch { 10.0 } else { 45.0 });
        // Readers fetch few pages, so at most one of these three.
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
        self.pages = pages::draw(random, self.lang, self.platform, &kinds);
    }

    fn draw_people(&mut self, random: &mut Random, subject: &Subject<'_>) {
        let person = owner_of(subject.seed, subject.key, self.lang);
        let is_branch = subject.business.chain.is_some();
        if !is_branch && random.percent(66.0) {
            self.owner = owner::draw(random, person, self.lang, &|page| self.may_tell(page));
        }
        if self.has(PageKind::Team) {
            self.team = owner::team(random, self.lang, subject.business.category.group, person);
        }
    }

    /// Whether facts may be on a page: not on a truncated one, nor in invalid structured data.
    fn may_tell(&self, page: PageKind) -> bool {
        match page {
            PageKind::About => self.has(page) && self.condition != SiteCondition::Truncated,
            PageKind::Home => matches!(self.json_ld, JsonLd::Plain | JsonLd::Graph),
            _ => self.has(page),
        }
    }

    fn draw_emails(&mut self, random: &mut Random) {
        let spot =
            if self.has(PageKind::Contact) && random.percent(55.0) { EmailSpot::Contact } else { EmailSpot::Footer };
        let kind = random.below(100);
        let role = words::draw(random, self.lang, "role");
        if kind < 64 {
            let address = format!("{role}@{}", self.mail_domain);
            self.add_email(random, MailboxPlan { address, kind: EmailKind::Role }, spot);
        } else if kind < 78 {
            let handle: String = self.slug.chars().filter(|letter| *letter != '-').collect();
            let house = random.pick(&["gmail", "yahoo", "hotmail", "outlook"]);
            let address = format!("{handle}@{house}.example");
            self.add_email(random, MailboxPlan { address, kind: EmailKind::Generic }, spot);
        }
        let beside_owner = self.owner.filter(|stated| stated.statement != owner::OwnerStatement::JsonLd);
        if let Some(stated) = beside_owner.filter(|_| random.percent(38.0)) {
            let address = personal(random, stated.person.first, stated.person.last, &self.mail_domain);
            self.add_email(random, MailboxPlan { address, kind: EmailKind::Personal }, EmailSpot::Owner);
        }
        if let Some(first) = self.team.first().copied().filter(|_| random.percent(35.0)) {
            let address = personal(random, first.person.first, first.person.last, &self.mail_domain);
            self.add_email(random, MailboxPlan { address, kind: EmailKind::Personal }, EmailSpot::Staff);
        }
    }

    fn add_email(&mut self, random: &mut Random, mailbox: MailboxPlan, spot: EmailSpot) {
        let MailboxPlan { address, kind } = mailbox;
        let drawn = hiding(random);
        let in_data = matches!(self.json_ld, JsonLd::Plain | JsonLd::Graph) && kind != EmailKind::Personal;
        let hidden_by = if drawn == HiddenBy::JsonLd && !in_data { HiddenBy::Mailto } else { drawn };
        if self.emails.iter().all(|known| known.address != address) {
            self.emails.push(PlannedEmail { address, kind, hidden_by, spot });
        }
    }

    fn draw_socials(&mut self, random: &mut Random) {
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
            all.into_iter().filter(|(_, _, share)| random.percent(*share)).map(|(name, url, _)| (name, url)).collect();
    }
}

/// A mailbox, before it is decided how its address is shown.
struct MailboxPlan {
    address: String,
    kind: EmailKind,
}

/// Adds a tool unless it is already there.
pub(crate) fn add(tools: &mut Vec<Tool>, tool: Option<Tool>) {
    if let Some(tool) = tool.filter(|tool| tools.iter().all(|known| known.slug != tool.slug)) {
        tools.push(tool);
    }
}

/// The mailboxes' domain: the site's name under a reserved top-level domain that no real mailbox has.
fn mail_domain(business: &Business, slug: &str) -> String {
    let label = match &business.website {
        Website::Own { host } => host.strip_suffix(HOST_ENDING).unwrap_or(host),
        _ => slug,
    };
    format!("{label}.example")
}

/// Half of the businesses whose listing has no number show one on their site.
fn phone(random: &mut Random, subject: &Subject<'_>) -> Option<String> {
    let Subject { seed, key, business, .. } = *subject;
    let shows = random.percent(50.0);
    business.phone.clone().or_else(|| phones::draw(seed, key, &business.state, business.country).filter(|_| shows))
}

pub(crate) fn personal(random: &mut Random, first: &str, last: &str, domain: &str) -> String {
    let (first, last) = (names::slug(first), names::slug(last));
    match random.below(3) {
        0 => format!("{first}@{domain}"),
        1 => format!("{first}.{last}@{domain}"),
        _ => format!("{}{last}@{domain}", &first[..1]),
    }
}

fn year(random: &mut Random, platform: Platform) -> usize {
    match platform {
        Platform::Handmade => random.between(2004, 2016),
        _ if random.percent(60.0) => THIS_YEAR,
        _ => random.between(2016, THIS_YEAR - 1),
    }
}

fn viewport(random: &mut Random, platform: Platform) -> Viewport {
    let missing = platform == Platform::Handmade || random.percent(4.0);
    if missing { Viewport::Missing } else { Viewport::Set }
}

fn json_ld(random: &mut Random, platform: Platform, condition: SiteCondition) -> JsonLd {
    let drawn = random.below(100);
    match drawn {
        _ if condition == SiteCondition::BrokenJsonLd => JsonLd::Broken,
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
