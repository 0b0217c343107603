//! Which pages a website has, under which addresses and names.

use crate::chance::Chance;
use crate::lang::Lang;
use crate::site::platform::Platform;
use crate::words;

/// What a page is for.
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
    /// As it stands in links.
    pub(crate) path: String,
    /// As the menu calls it.
    pub(crate) label: &'static str,
}

/// Draws the names of pages, the first page before them.
pub(crate) fn draw(chance: &mut Chance, lang: Lang, platform: Platform, kinds: &[PageKind]) -> Vec<PagePlan> {
    let label = words::list(lang, "home").first().copied().unwrap_or("Home");
    let mut pages = vec![PagePlan { kind: PageKind::Home, path: "/".to_owned(), label }];
    for kind in kinds {
        let line = words::draw(chance, lang, &format!("page.{}", kind.word()));
        let (word, label) = line.split_once(" = ").unwrap_or((kind.word(), kind.word()));
        pages.push(PagePlan { kind: *kind, path: platform.path(word), label });
    }
    pages
}

/// The page behind a requested path; a slash at the end and the query do not matter.
pub(crate) fn find<'p>(pages: &'p [PagePlan], path: &str) -> Option<&'p PagePlan> {
    let bare = path.split(['?', '#']).next().unwrap_or(path).trim_end_matches('/');
    let is_home = matches!(bare, "" | "/index.html" | "/index.htm" | "/index.php");
    pages
        .iter()
        .find(|page| if is_home { page.kind == PageKind::Home } else { page.path.trim_end_matches('/') == bare })
}
