//! Which pages a website has, with their paths and labels.

use crate::lang::Lang;
use crate::random::Random;
use crate::site::platform::Platform;
use crate::words;

/// The purpose of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PageKind {
    Home,
    Contact,
    About,
    Team,
    Services,
    Book,
    Order,
    Shop,
    Imprint,
}

impl PageKind {
    fn word(self) -> &'static str {
        match self {
            PageKind::Home => "home",
            PageKind::Contact => "contact",
            PageKind::About => "about",
            PageKind::Team => "team",
            PageKind::Services => "services",
            PageKind::Book => "book",
            PageKind::Order => "order",
            PageKind::Shop => "shop",
            PageKind::Imprint => "imprint",
        }
    }
}

/// A page of a website.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PagePlan {
    pub(crate) kind: PageKind,
    /// As written in links.
    pub(crate) path: String,
    /// Its label in the menu.
    pub(crate) label: &'static str,
}

/// Draws the pages, the home page first.
pub(crate) fn draw(random: &mut Random, lang: Lang, platform: Platform, kinds: &[PageKind]) -> Vec<PagePlan> {
    let label = words::list(lang, "home").first().copied().unwrap_or("Home");
    let mut pages = vec![PagePlan { kind: PageKind::Home, path: "/".to_owned(), label }];
    for kind in kinds {
        let line = words::draw(random, lang, &format!("page.{}", kind.word()));
        let (word, label) = line.split_once(" = ").unwrap_or((kind.word(), kind.word()));
        pages.push(PagePlan { kind: *kind, path: platform.path(word), label });
    }
    pages
}

/// The page with a requested path; a trailing slash and the query are ignored.
pub(crate) fn find<'p>(pages: &'p [PagePlan], path: &str) -> Option<&'p PagePlan> {
    let bare = path.split(['?', '#']).next().unwrap_or(path).trim_end_matches('/');
    let is_home = matches!(bare, "" | "/index.html" | "/index.htm" | "/index.php");
    pages
        .iter()
        .find(|page| if is_home { page.kind == PageKind::Home } else { page.path.trim_end_matches('/') == bare })
}
