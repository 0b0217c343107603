//! Recognises forums, whose members are not people of the business: "Administrator" beside a post is a rank, not a job.

use std::sync::LazyLock;

use crate::document::Document;
use crate::literals::Literals;
use crate::structured::business::Structured;

/// Names of forum software in the `generator` meta tag.
const SOFTWARE: &[&str] = &[
    "vbulletin",
    "phpbb",
    "discourse",
    "xenforo",
    "mybb",
    "invision",
    "ip.board",
    "smf",
    "simple machines",
    "vanilla",
    "flarum",
    "nodebb",
    "yabb",
    "punbb",
    "fluxbb",
    "bbpress",
    "ubb.threads",
    "proboards",
    "burning board",
    "woltlab",
];

/// Parts of addresses of threads and boards.
const ADDRESSES: &[&str] = &[
    "://forum.",
    "://forums.",
    "://boards.",
    "/forum/",
    "/forums/",
    "/threads/",
    "/thread/",
    "viewtopic",
    "showthread",
    "viewforum",
    "forumdisplay",
    "/topic/",
    "newreply.php",
    "memberlist",
    "/bbs/",
    "/phpbb",
    "/vbulletin",
    "/board/",
    "://discuss.",
    "://bbs.",
];

/// What forums show beside posts.
static BESIDE_POSTS: LazyLock<Option<Literals>> = LazyLock::new(|| Literals::new(WORDS.iter().copied()));
const WORDS: &[&str] = &[
    "Join Date",
    "Joined:",
    "Posts:",
    "Registered:",
    "Senior Member",
    "Junior Member",
    "New Member",
    "Reply With Quote",
    "Reputation:",
    "Thread Starter",
    "Reaction score",
    "Likes Received",
    "Quick Reply",
    "Thread Tools",
    "Message Count",
    "Original Poster",
    "Offline",
];
/// Different kinds of them that make a page a forum.
const KINDS_MIN: u32 = 3;
/// Occurrences examined per page.
const PLACES_MAX: usize = 200;

/// Whether a page is part of a forum.
pub(super) fn is_forum(url: &str, document: &Document<'_>, structured: &Structured) -> bool {
    let has_any = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let is_software = || {
        document
            .meta("generator")
            .is_some_and(|generator| has_any(&generator.chars().take(60).collect::<String>().to_lowercase(), SOFTWARE))
    };
    let is_address = || has_any(&crate::page::around(url, 0, 0, 300).to_lowercase(), ADDRESSES);
    structured.is_discussion || is_software() || is_address() || kinds_beside_posts(&document.text) >= KINDS_MIN
}

fn kinds_beside_posts(text: &str) -> u32 {
    let mut kinds = 0_u32;
    if let Some(search) = BESIDE_POSTS.as_ref() {
        search.each(text, PLACES_MAX, |found| kinds |= 1 << found.pattern().as_usize());
    }
    kinds.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, html: &str) -> bool {
        let document = Document::parse(html);
        is_forum(url, &document, &crate::structured::business::read(url, &document))
    }

    #[test]
    fn forums_are_known_by_software_address_and_posts() {
        assert!(check("https://acme.com/x", "<meta name=generator content='vBulletin 3.8'>"));
        assert!(check("https://forums.acme.com/", "<p>Hello</p>"));
        assert!(check("https://acme.com/viewtopic.php?t=1", "<p>Hello</p>"));
        assert!(check(
            "https://acme.com/x",
            "<p>Ann Lee</p><p>Senior Member</p><p>Join Date: 2004</p><p>Posts: 12</p>"
        ));
        assert!(check("https://acme.com/x", r#"<script type="application/ld+json">{"@type":"QAPage"}</script>"#));
        assert!(!check("https://acme.com/team", "<p>Ann Lee</p><p>Senior Manager</p><p>Joined: 2004</p>"));
    }
}
