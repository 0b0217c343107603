//! The page whose clues to the owner are read, and whether it tells of the business or of somebody.

use crate::document::Document;
use crate::people::reader::PageReader;
use crate::site::Site;

/// The page whose clues are read.
#[derive(Clone, Copy)]
pub(in crate::people) struct OwnerPage<'p, 'h> {
    pub(in crate::people) document: &'p Document<'h>,
    pub(in crate::people) site: &'p Site,
    /// For each line, whether it may name people of the business.
    pub(in crate::people) readable: &'p [bool],
    /// The path of its address.
    pub(in crate::people) path: &'p str,
    /// Whether it is a page about the business or about somebody, or the front page.
    pub(in crate::people) tells_story: bool,
    /// Whether it is the front page.
    pub(in crate::people) is_front: bool,
    /// Whether its address says that it is about the business or somebody, whatever its markup says.
    pub(in crate::people) is_about: bool,
    /// Whether its address is that of a page about the business or its people.
    pub(in crate::people) is_story: bool,
}

/// Words of headings of pages about somebody.
const STORIES: &[&str] = &[
    "about",
    "meet ",
    "my story",
    "our story",
    "my practice",
    "my background",
    "who i am",
    "history",
    "über mich",
    "über uns",
    "chi sono",
    "chi siamo",
    "qui suis",
    "qui sommes",
    "à propos",
    "mon parcours",
    "sobre mí",
    "sobre mi",
    "mi historia",
    "quién soy",
    "quiénes somos",
    "over mij",
    "over ons",
    "profile",
    "our practice",
    "nostra storia",
    "notre histoire",
    "nuestra historia",
    "ons verhaal",
    "unsere geschichte",
    "founder",
    "the owner",
    "our owner",
    "your host",
    "famil",
    "tradition",
    "generation",
    "welcome",
    "willkommen",
    "bienvenue",
    "benvenut",
    "bienvenid",
    "welkom",
];
/// Parts of paths of such pages.
const STORY_PATHS: &[&str] = &[
    "about",
    "meet",
    "story",
    "history",
    "bio",
    "ueber-",
    "uber-",
    "chi-s",
    "qui-s",
    "sobre",
    "nosotros",
    "quien",
    "over-",
    "a-propos",
    "owner",
    "founder",
    "artists",
    "teachers",
    "therapists",
    "profile",
    "histoire",
    "historia",
    "storia",
    "geschichte",
    "company",
    "hosts",
    "introduc",
    "cabinet",
    "praxis",
    "kanzlei",
    "zur-person",
    "captain",
    "attorney",
    "therapist",
    "practitioner",
    "doctor",
    "famil",
    "our-farm",
    "the-inn",
    "tradition",
    "conoce",
    "chef",
    "instructor",
    "teacher",
    "photographer",
    "veterinar",
    "dentist",
    "lawyer",
    "winemaker",
    "brewer",
    "artisan",
    "domaine",
    "maker",
    "baker",
    "farmer",
    "presentation",
    "wie-zijn",
    "wer-",
];
/// Parts of paths above pages about one of several people.
const MANY: &[&str] = &[
    "team",
    "staff",
    "people",
    "artists",
    "doctors",
    "attorneys",
    "lawyers",
    "therapists",
    "instructors",
    "teachers",
    "members",
    "directory",
    "authors",
    "speakers",
    "agents",
    "providers",
];
/// Headings examined for such words, and the longest of them, in bytes.
const STORY_HEADINGS_MAX: usize = 30;
const STORY_HEADING_BYTES_MAX: usize = 40;
/// Longest path of a front page, in bytes: `/index.html`.
const FRONT_PATH_BYTES_MAX: usize = 11;

impl<'p, 'h> OwnerPage<'p, 'h> {
    /// A page of the site.
    pub(in crate::people) fn new(reader: &'p PageReader<'_, 'h>, path: &'p str) -> OwnerPage<'p, 'h> {
        let PageReader { document, site, readable, presents_people, .. } = reader;
        let says = |text: &str| {
            let lower = text.to_lowercase();
            text.len() <= STORY_HEADING_BYTES_MAX && STORIES.iter().any(|words| lower.contains(words))
        };
        let is_front = path.len() <= FRONT_PATH_BYTES_MAX && (path.len() <= 1 || path.starts_with("/index"));
        let is_story = STORY_PATHS.iter().any(|part| path.contains(part));
        let headings =
            || (0..document.lines.len()).filter(|index| document.line(*index).1.heading).take(STORY_HEADINGS_MAX);
        let is_post = ["/blog", "/news", "/post", "/article"].iter().any(|part| path.contains(part));
        let tells_story = !is_post
            && (is_front
                || *presents_people
                || is_story
                || says(&document.title)
                || headings().any(|index| says(document.line(index).0)));
        let is_about = ["about", "chi-s", "qui-s", "ueber-", "sobre", "over-"].iter().any(|part| path.contains(part));
        OwnerPage { document, site, readable, path, tells_story, is_front, is_about, is_story }
    }
}

impl<'p> OwnerPage<'p, '_> {
    /// Whether its address is that of one of several people: `/team/ann-lee`.
    pub(super) fn is_one_of_many(&self) -> bool {
        let parts = self.path.trim_end_matches('/').rsplit('/').skip(1);
        parts.into_iter().any(|part| MANY.iter().any(|words| part.contains(words)))
    }

    /// The text of a line, if people of the business may be named there.
    pub(super) fn line(&self, index: usize) -> Option<&'p str> {
        let (line, place) = self.document.line(index);
        (self.readable.get(index) == Some(&true) && !place.quote && !place.nav && !place.testimonial).then_some(line)
    }
}
