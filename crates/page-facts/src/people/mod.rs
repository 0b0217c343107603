//! Finds people: names with titles in text and structured data, and which of them owns the business. Precision comes
//! before recall: a name must look like one, and something must state the person's role.

mod affiliation;
mod bios;
mod brands;
mod capitals;
mod cards;
mod chains;
mod common_words;
mod contact_lines;
mod credentials;
mod departments;
mod early_years;
mod field_labels;
mod forum;
mod headings;
mod inline_titles;
mod job_phrases;
mod kept_titles;
mod kin;
mod letters;
pub(crate) mod mention;
mod merge;
mod name_words;
pub(crate) mod names;
mod one_line;
mod other_companies;
mod outsiders;
mod owner_labels;
mod owner_phrases;
mod owners;
mod ownership;
mod page_words;
mod pictures;
mod placeholders;
mod read_cards;
mod reader;
mod records;
mod sections;
mod sentences;
mod signatures;
mod slots;
mod sole;
mod speaker;
mod staff_sentences;
mod testimonials;
mod the_dead;
mod title_words;
pub(crate) mod titles;
mod unlisted;
mod vouched;

pub(crate) use mention::PersonMention;
pub(crate) use merge::merge;
pub(crate) use ownership::OwnerClue;

use crate::document::Document;
use crate::explain;
use crate::facts::Method;
use crate::finders::Finder;
use crate::page::around;
use crate::site::Site;
use crate::structured::business::Structured;
use mention::OwnerClaim;
use reader::PageReader;

/// Mentions kept per page.
const PEOPLE_MAX: usize = 150;
/// Steps charged per person found, including the cost of merging.
const PERSON_STEPS: usize = 4_000;
/// Longest title in structured data that is read, in bytes.
const TITLE_BYTES_MAX: usize = 200;
/// Untitled people in the markup of a page that does not present any, from which on they are authors of posts.
const AUTHORS_MIN: usize = 3;
/// Steps charged per byte of a title in structured data.
const TITLE_STEPS_PER_BYTE: usize = 20;

/// What a page says of people.
#[derive(Default)]
pub(crate) struct PagePeople {
    pub(crate) mentions: Vec<PersonMention>,
    /// Clues to who owns the business, also to people who are not among those mentioned.
    pub(crate) clues: Vec<OwnerClue>,
}

/// Finds the people of one page.
pub(crate) fn find(url: &str, document: &Document<'_>, structured: &Structured, site: &Site) -> PagePeople {
    let mut found = of_structured(document, structured, site);
    drop_authors(&mut found, url, document);
    if forum::is_forum(url, document, structured) {
        found.retain(|person| person.claim == OwnerClaim::Founder);
        return PagePeople { mentions: found, clues: Vec::new() };
    }
    let PagePeople { mentions: mut found, mut clues } = PageReader::new(url, document, structured, site).read(found);
    // Nobody whose surname the business bears came with the template.
    let is_bearer =
        |person: &PersonMention| person.name.rsplit(' ').next().is_some_and(|surname| site.carries(surname));
    let is_somebody = !found.is_empty() || !clues.is_empty();
    if is_somebody && placeholders::is_template(document) && !found.iter().any(is_bearer) {
        found.iter().for_each(|person| explain::refused(Finder::People, "a page with placeholder text", &person.name));
        found.clear();
        clues.clear();
    }
    let has = |name: &str| found.iter().any(|person| person.name == name);
    // A sample; whoever shares his surname came with him.
    if has("John Doe") {
        found.retain(|person| !person.name.ends_with(" Doe"));
    }
    PagePeople { mentions: found, clues }
}

/// Drops those whom the markup of a front page names without saying what they do: the authors of its posts.
fn drop_authors(found: &mut Vec<PersonMention>, url: &str, document: &Document<'_>) {
    let path = url.split("://").nth(1).and_then(|rest| rest.find('/').map(|at| &rest[at..])).unwrap_or("");
    let is_untitled = |person: &PersonMention| {
        person.title.is_none() && person.claim == OwnerClaim::Title && person.method != Method::JsonLd
    };
    let is_several = found.iter().filter(|person| is_untitled(person)).count() >= AUTHORS_MIN;
    if is_several && !page_words::is_people_path(path) && !page_words::is_people_heading(&document.title) {
        let dropped = found.iter().filter(|person| is_untitled(person));
        dropped.for_each(|person| explain::refused(Finder::People, "one of several authors", &person.name));
        found.retain(|person| !is_untitled(person));
    }
}

/// The people named in structured data.
fn of_structured(document: &Document<'_>, structured: &Structured, site: &Site) -> Vec<PersonMention> {
    let mut found = Vec::new();
    for node in structured.people.iter().take(PEOPLE_MAX) {
        // Someone with a stated job is a person even if the name is on no list.
        let trust = if node.title.is_some() || (node.founder && node.is_typed) {
            names::Trust::High
        } else {
            names::Trust::Low
        };
        if !document.budget.spend(PERSON_STEPS + TITLE_STEPS_PER_BYTE * TITLE_BYTES_MAX) {
            break;
        }
        let Some(name) = names::parse_as(&node.name, trust) else { continue };
        let title = node.title.as_deref().map(|title| around(title, 0, 0, TITLE_BYTES_MAX));
        // The author of an article may not work here.
        if node.title.is_none() && !node.founder && structured.is_article {
            continue;
        }
        if title.is_some_and(|title| other_companies::names_another(title, site)) {
            explain::refused(Finder::People, "the title names another company", &node.name);
            continue;
        }
        explain::accepted(Finder::People, "structured data", &node.name);
        let snippet = format!("{}{}", node.name, title.map(|t| format!(", {t}")).unwrap_or_default());
        let title = title.map(str::to_owned).or_else(|| letters::title_of_letters(&name));
        found.push(PersonMention {
            name: name.name,
            title,
            email: node.email.clone(),
            claim: if node.founder { OwnerClaim::Founder } else { OwnerClaim::Title },
            method: node.method,
            snippet,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_page(found: PagePeople, site: &Site) -> Vec<crate::facts::FoundPerson> {
        let mentions: Vec<_> = found.mentions.into_iter().map(|mention| (String::new(), mention)).collect();
        let clues: Vec<_> = found.clues.into_iter().map(|clue| (String::new(), clue)).collect();
        merge(&mentions, &clues, site)
    }

    fn check(html: &str, expect: &[&str]) {
        let document = Document::parse(html);
        let structured = crate::structured::business::read("https://acme.com/", &document);
        let site = Site::of("https://acme.com/");
        let found = find("https://acme.com/", &document, &structured, &site);
        let shown: Vec<String> = of_page(found, &site)
            .iter()
            .map(|p| format!("{}|{}{}", p.name, p.title.as_deref().unwrap_or(""), if p.is_owner { "|*" } else { "" }))
            .collect();
        assert_eq!(shown, expect, "{html}");
    }

    #[test]
    fn names_with_titles_are_found() {
        check(
            "<h3>Jane Doe</h3><p>Owner</p><h3>Bob Ray</h3><p>Office Manager</p>",
            &["Jane Doe|Owner|*", "Bob Ray|Office Manager"],
        );
        check("<p>Jane Doe, Founder &amp; CEO</p>", &["Jane Doe|Founder & CEO|*"]);
        check("<p>Owner: Jane Doe</p>", &["Jane Doe|Owner|*"]);
        check("<p>Owned and operated by: Jane Doe</p>", &["Jane Doe|Owner|*"]);
        check("<p>The new owner, Jane Doe, kept the crew.</p>", &["Jane Doe|Owner|*"]);
        check("<p>This website is operated by Jane Doe d/b/a Acme.</p>", &["Jane Doe|Owner|*"]);
        check("<p>Our shop was founded by Jane A. Doe in 1990.</p>", &["Jane A. Doe|Founder|*"]);
        check("<h2>Dr. Jane Doe, DDS</h2>", &["Jane Doe|Dentist"]);
        check("<p>Inhaber: Hans Meier</p>", &["Hans Meier|Inhaber|*"]);
        check("<p>Hi, my name is Jane Doe and I am the owner of Acme.</p>", &["Jane Doe|Owner|*"]);
        check("<p>Jane Doe is the owner of Acme and a keen gardener.</p>", &["Jane Doe|Owner|*"]);
        check(
            "<h3>Jane Doe</h3><p>Owner</p><h3>Bob Ray</h3><p>Foreman</p><h3>Aviv Lichtig</h3><p>Estimator</p>",
            &["Jane Doe|Owner|*", "Bob Ray|Foreman", "Aviv Lichtig|Estimator"],
        );
        check("<p>Paul Morris, MPA, PMP</p><p>Office Director</p>", &["Paul Morris|Office Director"]);
        check("<p>John Smith, CPA, Managing Partner</p>", &["John Smith|Managing Partner|*"]);
        check("<p>Dr. Jane Doe, DDS, Owner</p>", &["Jane Doe|Owner|*"]);
        check("<p>Meet our owner, Jane Doe, a keen gardener.</p>", &["Jane Doe|Owner|*"]);
        check("<p>We are owned and operated by Jane Doe of Austin.</p>", &["Jane Doe|Owner|*"]);
        check("<p>Jane Doe founded Acme in 1990.</p>", &["Jane Doe|Founder|*"]);
        check("<p>Our story began when Jane Doe opened the shop in 1990.</p>", &["Jane Doe|Founder|*"]);
        check("<p>Our firm was founded in 1985 by Jane Doe.</p>", &["Jane Doe|Founder|*"]);
        check("<p>We are owned by Ann and Bob Ray.</p>", &["Ann Ray|Owner|*", "Bob Ray|Owner"]);
        check("<p>Friseur Acme, Inh. Hans Meier</p>", &["Hans Meier|Inhaber|*"]);
        check("<p>Propriétaire : Jean Martin</p>", &["Jean Martin|Propriétaire|*"]);
        check("<p>By Zxy Gupta, CEO of Acme</p>", &["Zxy Gupta|CEO|*"]);
        check(
            "<p>We treat our customers like family, and we have done so ever since we opened.</p><p>Jane Doe, President</p>",
            &["Jane Doe|President|*"],
        );
    }

    #[test]
    fn what_stands_beside_a_title_or_a_name_hides_neither() {
        check("<h3>Jane Doe</h3><p>Loan Officer | NMLS #123456</p>", &["Jane Doe|Loan Officer"]);
        check("<h3>Jane Doe</h3><p>she/her</p><p>Stylist</p>", &["Jane Doe|Stylist"]);
        check("<h3>Jane Doe</h3><p>Joined 2015</p><p>Stylist since 2016</p>", &["Jane Doe|Stylist"]);
        check("<h3>Jane Doe</h3><p>(Office Manager)</p>", &["Jane Doe|Office Manager"]);
        check("<h3>Jane Doe</h3><p>Instagram</p><p>Trainer (NASM)</p>", &["Jane Doe|Trainer (NASM)"]);
        check(
            "<h1>Our Team</h1><h3>Jane Doe</h3><p>Stylist</p><p>“I love it here!”</p><h3>Bob Ray</h3><p>Barber</p>",
            &["Jane Doe|Stylist", "Bob Ray|Barber"],
        );
        check("<h2>Meet Jane Doe, Senior Stylist</h2>", &["Jane Doe|Senior Stylist"]);
        check("<p>Jane Doe - Chef &amp; Owner. Born in Naples, Jane loves rice.</p>", &["Jane Doe|Chef & Owner|*"]);
        check("<h3>Jane<br>Doe</h3><p>Stylist</p><h3>Our<br>Stylist</h3>", &["Jane Doe|Stylist"]);
        check(
            "<p>Ana Ruiz Soto, Psicóloga</p><footer>Ana Ruiz, Psicóloga · Col. AN12345</footer>",
            &["Ana Ruiz Soto|Psicóloga"],
        );
    }

    #[test]
    fn several_authors_in_the_markup_of_a_front_page_are_not_staff() {
        let author = |name: &str| {
            format!(
                "<div itemscope itemtype='https://schema.org/Person'><b itemprop='name'>{name}</b></div><p>A post</p>"
            )
        };
        check(&format!("{}{}{}", author("Jane Doe"), author("Bob Ray"), author("Ann Lee")), &[]);
        check(&author("Bob Ray"), &["Bob Ray|"]);
    }

    #[test]
    fn in_an_article_only_people_of_the_business_count() {
        let article =
            |text: &str| format!("<meta property='article:published_time' content='2024-01-01'><p>{text}</p>");
        check(
            &article("Jane Doe is the CEO and co-founder of Acme. She began early."),
            &["Jane Doe|CEO and co-founder|*"],
        );
        check(&article("Our founder, Jane Doe, made a pyramid of it."), &["Jane Doe|Founder|*"]);
        check(&article("It is hosted by Acme CEO Jane Doe."), &["Jane Doe|CEO|*"]);
        check(&article("Our founder, Zxy Fishkin, made a pyramid of it."), &["Zxy Fishkin|Founder|*"]);
        check(&article("Their founder Jane Doe thought otherwise, and owner John Ray agreed."), &[]);
        check(&article("Other Corp was founded by Jane Doe in 1990."), &[]);
    }

    #[test]
    fn the_person_a_business_is_named_after_owns_it_when_they_speak() {
        let found = |html: &str| {
            let (document, site) = (Document::parse(html), Site::named("https://janedoe.com/", Some("Jane Doe")));
            of_page(find("https://janedoe.com/", &document, &Structured::default(), &site), &site)
        };
        let stated = found("<p>Hola, soy Jane Doe, estratega.</p>");
        assert_eq!((stated[0].name.as_str(), stated[0].is_owner, stated[0].title.as_deref()), ("Jane Doe", true, None));
        assert!(found("<h2>Jane Doe</h2><p>Photographer</p>")[0].is_owner);
        assert!(found("<h2>Jane Doe</h2><p>Dresses for everyone</p>").is_empty());
    }

    #[test]
    fn customers_and_ordinary_words_are_not_people_of_the_business() {
        check("<h2>Testimonials</h2><p>Great!</p><p>Jane Doe</p><p>Owner</p>", &[]);
        check("<blockquote>Jane Doe<br>CEO</blockquote>", &[]);
        check("<p>“They were so very good to us.”</p><p>Jane Doe</p><p>CEO</p>", &[]);
        check("<h3>Our Team</h3><p>Manager</p><h3>Project Manager</h3><p>Austin</p>", &[]);
        check("<p>Jane Doe, CEO at Other Corp</p>", &[]);
        check("<p>We helped dog owner Jane Doe, and the former owner Bob Ray.</p>", &[]);
        check("<p>Owner: Raphael Tours &amp; Events</p>", &[]);
        check("<p>This tip is by Jane Doe, founder of Other Corp, which helps people.</p>", &[]);
        check("<p>“It is about ease,” says Jane Doe, founder and creative director of Jane Events.</p>", &[]);
        check("<p>Founded by Jane Doe in 2006, Supra is one of the most daring brands.</p>", &[]);
        check("<p>They never slept, says Owner John Saunders.</p>", &[]);
        check(
            "<p>They gave me leads, and my close rate went up by a half in one single month.</p><p>CEO</p><p>Joe Ray</p>",
            &[],
        );
        check("<p>Jane Doe, CEO of Other Corp</p>", &[]);
        check("<p>CFP®, CEO</p><p>Joe Ray</p><p>Pure Financial Advisors</p>", &[]);
        check("<p>Jane Doe</p><p>CEO</p><p>Other Marketing Group</p>", &[]);
        check("<h1>Summer Camp Berlin</h1><p>Inhaber: Hans Meier</p>", &["Hans Meier|Inhaber|*"]);
        check("<p>Jane Doe, Co-Founder and CEO, Yuool</p>", &[]);
        check("<p>Jane Doe founded the company in a garage, and Bob Ray owns the other business.</p>", &[]);
        check("<p>President Jane Doe met Bob Ray, president of Other Corp.</p>", &[]);
    }
}
