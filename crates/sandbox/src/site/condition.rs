//! The condition of a website: most are fine, some are slow, broken, blocked or gone.

use crate::fault::Fault;
use crate::random::Random;

/// The condition of a website.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SiteCondition {
    Fine,
    /// `robots.txt` disallows everything.
    Robots,
    /// `robots.txt` fails, which disallows everything too.
    RobotsBroken,
    /// The name resolves, but the site is gone.
    Dead,
    /// A registrar's placeholder.
    Parked,
    /// Refuses readers.
    Blocked,
    /// Shows a bot challenge.
    Challenge,
    /// Answers with a server error.
    Failing,
    /// Closes the connection without a response.
    Reset,
    /// Redirects several times before the first page.
    RedirectChain,
    /// Redirects to `www.`.
    Www,
    /// Redirects in a circle.
    RedirectLoop,
    /// Redirects to a page on a social network.
    RedirectSocial,
    /// Leaves tags open.
    BrokenMarkup,
    /// Declares one charset and sends another.
    WrongCharset,
    /// Has invalid structured data.
    BrokenJsonLd,
    /// Truncates one page.
    Truncated,
    /// Has a first page of several megabytes.
    Huge,
    /// Asks search engines not to index it; readers are allowed.
    NoIndex,
    /// Has one slow page.
    SlowPage,
    /// Takes seconds for every page.
    SlowSite,
    /// Never responds.
    Hang,
    /// Sends a few bytes at a time.
    Drip,
    /// Sends endlessly.
    Endless,
    /// Responds with something other than a page.
    NotHtml,
    /// Responds with an empty body.
    Empty,
    /// Responds with random bytes.
    Garbage,
}

/// Websites of ordinary towns that are not fine, per thousand.
const ORDINARY: [(SiteCondition, usize); 17] = [
    (SiteCondition::Robots, 12),
    (SiteCondition::Dead, 18),
    (SiteCondition::Parked, 10),
    (SiteCondition::Blocked, 10),
    (SiteCondition::Failing, 6),
    (SiteCondition::Reset, 4),
    (SiteCondition::RedirectChain, 20),
    (SiteCondition::Www, 60),
    (SiteCondition::RedirectLoop, 3),
    (SiteCondition::RedirectSocial, 4),
    (SiteCondition::BrokenMarkup, 30),
    (SiteCondition::WrongCharset, 15),
    (SiteCondition::BrokenJsonLd, 20),
    (SiteCondition::Truncated, 5),
    (SiteCondition::Huge, 1),
    (SiteCondition::NoIndex, 20),
    (SiteCondition::SlowPage, 10),
];

/// Conditions in the test place for hostile websites, in turn.
const HOSTILE: [SiteCondition; 22] = [
    SiteCondition::Robots,
    SiteCondition::RobotsBroken,
    SiteCondition::Dead,
    SiteCondition::Parked,
    SiteCondition::Blocked,
    SiteCondition::Challenge,
    SiteCondition::Failing,
    SiteCondition::Reset,
    SiteCondition::RedirectChain,
    SiteCondition::Www,
    SiteCondition::RedirectLoop,
    SiteCondition::RedirectSocial,
    SiteCondition::BrokenMarkup,
    SiteCondition::WrongCharset,
    SiteCondition::BrokenJsonLd,
    SiteCondition::Truncated,
    SiteCondition::Huge,
    SiteCondition::Hang,
    SiteCondition::Drip,
    SiteCondition::Endless,
    SiteCondition::NotHtml,
    SiteCondition::Garbage,
];

/// Conditions in the test place for slow websites, in turn.
const SLOW: [SiteCondition; 4] =
    [SiteCondition::SlowSite, SiteCondition::Drip, SiteCondition::Hang, SiteCondition::SlowPage];

/// Conditions in the test place for dead websites, in turn.
const DEAD: [SiteCondition; 3] = [SiteCondition::Dead, SiteCondition::Reset, SiteCondition::Empty];

impl SiteCondition {
    /// The condition of one website: random in ordinary towns, by its number in test places.
    pub(crate) fn draw(random: &mut Random, fault: Fault, number: u16) -> SiteCondition {
        let turn = usize::from(number);
        match fault {
            Fault::HostileSites => HOSTILE[turn % HOSTILE.len()],
            Fault::SlowSites => SLOW[turn % SLOW.len()],
            Fault::DeadSites => DEAD[turn % DEAD.len()],
            Fault::Flicker | Fault::Restless => SiteCondition::Fine,
            _ => SiteCondition::ordinary(random),
        }
    }

    fn ordinary(random: &mut Random) -> SiteCondition {
        let mut drawn = random.below(1_000);
        for (condition, share) in ORDINARY {
            if drawn < share {
                return condition;
            }
            drawn -= share;
        }
        SiteCondition::Fine
    }

    /// The `site_status` that reading such a website results in.
    pub(crate) fn site_status(self) -> &'static str {
        match self {
            SiteCondition::Robots | SiteCondition::RobotsBroken => "robots",
            SiteCondition::Dead => "dead",
            SiteCondition::Parked => "parked",
            SiteCondition::Blocked | SiteCondition::Challenge => "blocked",
            SiteCondition::Failing
            | SiteCondition::Reset
            | SiteCondition::RedirectLoop
            | SiteCondition::NotHtml
            | SiteCondition::Empty => "error",
            SiteCondition::RedirectSocial => "social_only",
            SiteCondition::Hang => "timeout",
            _ => "ok",
        }
    }
}
