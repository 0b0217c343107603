//! How a website behaves: most are fine, some are slow, broken, closed or gone.

use crate::chance::Chance;
use crate::trouble::Trouble;

/// How a website behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Manner {
    Fine,
    /// `robots.txt` closes everything.
    Robots,
    /// `robots.txt` fails, which closes everything too.
    RobotsBroken,
    /// The name answers, the site is gone.
    Dead,
    /// A registrar's placeholder.
    Parked,
    /// Turns readers away.
    Blocked,
    /// Puts a test for humans in front.
    Challenge,
    /// Fails.
    Failing,
    /// Closes the connection without a word.
    Reset,
    /// Leads through several addresses before the first page.
    RedirectChain,
    /// Lives under `www.`.
    Www,
    /// Leads in a circle.
    RedirectLoop,
    /// Leads to a page on a social network.
    RedirectSocial,
    /// Tags left open.
    BrokenMarkup,
    /// Says one charset and sends another.
    WrongCharset,
    /// Structured data that is none.
    BrokenJsonLd,
    /// One page breaks off.
    Truncated,
    /// A first page of megabytes.
    Huge,
    /// Asks search engines to leave it out; readers may come.
    NoIndex,
    /// One page takes a while.
    SlowPage,
    /// Every page takes seconds.
    SlowSite,
    /// Never answers.
    Hang,
    /// Sends a few bytes at a time.
    Drip,
    /// Sends without end.
    Endless,
    /// Answers with something that is no page.
    NotHtml,
    /// Answers with nothing.
    Empty,
    /// Answers with bytes that mean nothing.
    Garbage,
}

/// Websites of ordinary towns that are not fine, in a thousand.
const ORDINARY: [(Manner, usize); 17] = [
    (Manner::Robots, 12),
    (Manner::Dead, 18),
    (Manner::Parked, 10),
    (Manner::Blocked, 10),
    (Manner::Failing, 6),
    (Manner::Reset, 4),
    (Manner::RedirectChain, 20),
    (Manner::Www, 60),
    (Manner::RedirectLoop, 3),
    (Manner::RedirectSocial, 4),
    (Manner::BrokenMarkup, 30),
    (Manner::WrongCharset, 15),
    (Manner::BrokenJsonLd, 20),
    (Manner::Truncated, 5),
    (Manner::Huge, 1),
    (Manner::NoIndex, 20),
    (Manner::SlowPage, 10),
];

/// What the place for hostile websites has, in turn.
const HOSTILE: [Manner; 22] = [
    Manner::Robots,
    Manner::RobotsBroken,
    Manner::Dead,
    Manner::Parked,
    Manner::Blocked,
    Manner::Challenge,
    Manner::Failing,
    Manner::Reset,
    Manner::RedirectChain,
    Manner::Www,
    Manner::RedirectLoop,
    Manner::RedirectSocial,
    Manner::BrokenMarkup,
    Manner::WrongCharset,
    Manner::BrokenJsonLd,
    Manner::Truncated,
    Manner::Huge,
    Manner::Hang,
    Manner::Drip,
    Manner::Endless,
    Manner::NotHtml,
    Manner::Garbage,
];

/// What the place for slow websites has, in turn.
const SLOW: [Manner; 4] = [Manner::SlowSite, Manner::Drip, Manner::Hang, Manner::SlowPage];

/// What the place for dead websites has, in turn.
const DEAD: [Manner; 3] = [Manner::Dead, Manner::Reset, Manner::Empty];

impl Manner {
    /// The manner of one website: by chance in ordinary towns, by its number in test places.
    pub(crate) fn draw(chance: &mut Chance, trouble: Trouble, number: u16) -> Manner {
        let turn = usize::from(number);
        match trouble {
            Trouble::HostileSites => HOSTILE[turn % HOSTILE.len()],
            Trouble::SlowSites => SLOW[turn % SLOW.len()],
            Trouble::DeadSites => DEAD[turn % DEAD.len()],
            Trouble::Flicker | Trouble::Restless => Manner::Fine,
            _ => Manner::ordinary(chance),
        }
    }

    fn ordinary(chance: &mut Chance) -> Manner {
        let mut drawn = chance.below(1_000);
        for (manner, share) in ORDINARY {
            if drawn < share {
                return manner;
            }
            drawn -= share;
        }
        Manner::Fine
    }

    /// The status that reading such a website ends with.
    pub(crate) fn site_status(self) -> &'static str {
        match self {
            Manner::Robots | Manner::RobotsBroken => "robots",
            Manner::Dead => "dead",
            Manner::Parked => "parked",
            Manner::Blocked | Manner::Challenge => "blocked",
            Manner::Failing | Manner::Reset | Manner::RedirectLoop | Manner::NotHtml | Manner::Empty => "error",
            Manner::RedirectSocial => "social_only",
            Manner::Hang => "timeout",
            _ => "ok",
        }
    }
}
