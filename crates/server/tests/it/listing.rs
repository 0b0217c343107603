//! What every source of listings must do, tried on each of them. A new source is added to [`subjects`].

use std::sync::Arc;

use canvass::config::Settings;
use canvass::listing::sources::place_data::{Member, PlaceDataSource};
use canvass::listing::sources::sandbox::SandboxSource;
use canvass::listing::{Cursor, Entry, Query, Source, SourceError, Sources, Words};
use canvass::sandbox::Sandbox;
use futures::StreamExt;
use places::{Area, Scope};

use crate::support::{Scripted, dentist, import_places};

/// Listings that are tried one by one.
const TRIED: usize = 60;

/// A source, and what to ask it for.
struct Subject {
    source: Arc<dyn Source>,
    area: Area,
    industry: &'static str,
}

impl Subject {
    fn sandbox(location: &str, industry: &'static str) -> Subject {
        let sandbox = Arc::new(Sandbox::new(&Settings::default()));
        let area = match sandbox::test_place(location) {
            Some(place) => place.area(Scope::City),
            None => places::locate(location).unwrap().place.area(Scope::City),
        };
        Subject { source: Arc::new(SandboxSource::new(sandbox)), area, industry }
    }

    fn scripted(source: Scripted) -> Subject {
        Subject { source: Arc::new(source), ..Subject::sandbox("Plainville, Sandbox", "plumber") }
    }

    /// One import of 130 dentists; or two, which have most of them in common.
    fn place_data(names: &[&str]) -> Subject {
        let data = tempfile::tempdir().unwrap().keep();
        let settings = Settings { data, ..Settings::default() };
        for (turn, name) in names.iter().enumerate() {
            import_places(&settings, name, (turn * 10..turn * 10 + 130).map(dentist));
        }
        let members = names.iter().map(|name| Member::import(&settings, name).unwrap()).collect();
        Subject { source: Arc::new(PlaceDataSource::new(members, 0.0)), ..Subject::sandbox("Austin, TX", "dentist") }
    }

    fn query(&self) -> Query {
        let test_trade = sandbox::test_trade(self.industry).map(|trade| trade.category);
        let category = test_trade.unwrap_or_else(|| places::industry(self.industry).unwrap().category);
        Query { category, area: self.area.clone() }
    }

    /// The version of the data, and where its listings begin.
    async fn resolved(&self) -> (String, Cursor) {
        let query = self.query();
        let words = Words { industry: self.industry, location: self.area.name() };
        let resolution = self.source.resolve(&query, words).await.unwrap();
        (resolution.data_version, resolution.start)
    }

    /// So many entries from a cursor on, and the error that ended them.
    async fn entries(&self, at: &Cursor, count: usize) -> (Vec<Entry>, Option<SourceError>) {
        let (version, _) = self.resolved().await;
        let mut listings = self.source.open(&self.query(), &version, at).take(count);
        let mut entries = Vec::new();
        while let Some(entry) = listings.next().await {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    assert!(listings.next().await.is_none(), "nothing follows an error");
                    return (entries, Some(error));
                }
            }
        }
        (entries, None)
    }
}

/// Every source with listings to give.
fn subjects() -> Vec<Subject> {
    vec![
        Subject::sandbox("Plainville, Sandbox", "plumber"),
        Subject::sandbox("Austin, TX", "dentist"),
        Subject::scripted(Scripted::of(40)),
        Subject::place_data(&["mine"]),
        Subject::place_data(&["mine", "theirs"]),
    ]
}

/// Every source with a transient error, which heals.
fn flaky_subjects() -> Vec<Subject> {
    vec![
        Subject::sandbox("Flakytown, Sandbox", "plumber"),
        Subject::sandbox("Austin, TX", "flaky trade"),
        Subject::scripted(Scripted::of(20).failing(2, 5, SourceError::transient("busy"))),
    ]
}

/// Every source with an error that stays.
fn broken_subjects() -> Vec<Subject> {
    vec![
        Subject::sandbox("Blocktown, Sandbox", "plumber"),
        Subject::sandbox("Austin, TX", "blocked trade"),
        Subject::scripted(Scripted::of(20).failing(u32::MAX, 5, SourceError::permanent("not here"))),
    ]
}

#[tokio::test]
async fn a_source_lists_the_same_in_the_same_order() {
    for subject in subjects() {
        let (version, start) = subject.resolved().await;
        assert_eq!(subject.resolved().await, (version, start.clone()), "a query is resolved the same way twice");
        let (once, error) = subject.entries(&start, TRIED).await;
        assert!(!once.is_empty() && error.is_none(), "{:?}", subject.source);
        assert_eq!(subject.entries(&start, TRIED).await, (once.clone(), None));
        let names: Vec<&str> = subject.source.about().name.split(',').collect();
        let of_source = |id: &str| names.iter().any(|name| id.starts_with(&format!("{name}:")));
        assert!(once.iter().all(|entry| of_source(&entry.listing.business_id)), "ids are unique across sources");
    }
}

#[tokio::test]
async fn a_source_goes_on_at_every_cursor_it_gave() {
    for subject in subjects() {
        let (_, start) = subject.resolved().await;
        let (all, _) = subject.entries(&start, TRIED).await;
        for (place, entry) in all.iter().enumerate() {
            let rest = subject.entries(&entry.next, TRIED - place - 1).await.0;
            assert_eq!(rest, all[place + 1..], "behind listing {place} of {:?}", subject.source);
        }
    }
}

#[tokio::test]
async fn a_source_can_be_left_at_any_time_and_taken_up_again() {
    for subject in subjects() {
        let (version, start) = subject.resolved().await;
        let (all, _) = subject.entries(&start, 10).await;
        let mut listings = subject.source.open(&subject.query(), &version, &start);
        // Left while it is being asked, not only between two listings.
        let _ = futures::poll!(listings.next());
        drop(listings);
        assert_eq!(subject.entries(&start, 10).await.0, all);
        assert_eq!(subject.entries(&all[2].next, 7).await.0, all[3..10]);
    }
}

#[tokio::test]
async fn a_transient_error_heals_and_loses_nothing() {
    for subject in flaky_subjects() {
        let (_, mut at) = subject.resolved().await;
        let (mut all, mut errors) = (Vec::new(), 0);
        loop {
            let (entries, error) = subject.entries(&at, TRIED).await;
            at = entries.last().map_or(at, |entry| entry.next.clone());
            all.extend(entries.into_iter().map(|entry| entry.listing.business_id));
            match error {
                None => break,
                Some(SourceError::Transient { resume_at, .. }) => at = resume_at.unwrap_or(at),
                Some(error) => panic!("{error:?}"),
            }
            errors += 1;
            assert!(errors < 10, "it heals: {:?}", subject.source);
        }
        assert!(errors > 0 && all.len() >= 20, "{errors} errors, {} listings", all.len());
        let distinct: std::collections::HashSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len(), "nothing is listed twice");
    }
}

#[tokio::test]
async fn a_permanent_error_stays() {
    for subject in broken_subjects() {
        let (_, start) = subject.resolved().await;
        for _ in 0..3 {
            let error = subject.entries(&start, TRIED).await.1;
            assert!(matches!(error, Some(SourceError::Permanent { .. })), "{error:?}");
        }
    }
}

#[tokio::test]
async fn a_cursor_or_a_version_that_a_source_does_not_know_is_a_permanent_error() {
    let subject = Subject::sandbox("Plainville, Sandbox", "plumber");
    let (version, start) = subject.resolved().await;
    for (version, at) in [("another".to_owned(), start), (version, Cursor("nonsense".into()))] {
        let first = subject.source.open(&subject.query(), &version, &at).next().await;
        assert!(matches!(first, Some(Err(SourceError::Permanent { .. }))), "{first:?}");
    }
    let sources = Sources::one(subject.source);
    assert!(sources.named("sandbox").is_ok());
    assert!(matches!(sources.named("gone"), Err(SourceError::Permanent { .. })));
}

#[tokio::test]
async fn what_several_imports_have_is_one_listing_with_the_origin_of_each_value() {
    let subject = Subject::place_data(&["mine", "theirs"]);
    let words = Words { industry: "dentist", location: "Austin, TX" };
    let resolution = subject.source.resolve(&subject.query(), words).await.unwrap();
    assert_eq!(resolution.count, Some(140));
    let (all, _) = subject.entries(&resolution.start, 1_000).await;
    assert_eq!(all.len(), 140);
    let both = all.iter().map(|entry| &entry.listing).find(|listing| listing.name == "Dentist 60").unwrap();
    assert_eq!((both.business_id.as_str(), both.aliases.as_slice()), ("mine:p0060", &["theirs:p0060".to_owned()][..]));
    let by = both.listed_by.as_ref().unwrap();
    assert_eq!(by.attribution.as_deref(), Some("The people of mine; The people of theirs"));
    assert!(both.origins.iter().any(|origin| origin.field == "website"));
    let alone = all.iter().map(|entry| &entry.listing).find(|listing| listing.name == "Dentist 139").unwrap();
    assert_eq!(alone.listed_by.as_ref().unwrap().attribution.as_deref(), Some("The people of theirs"));
}

#[tokio::test]
async fn the_best_places_come_first() {
    let subject = Subject::place_data(&["mine"]);
    let (_, start) = subject.resolved().await;
    let (all, _) = subject.entries(&start, 1_000).await;
    let reach =
        |entry: &Entry| usize::from(entry.listing.website.is_some()) + usize::from(entry.listing.phone.is_some());
    assert!(all.windows(2).all(|pair| reach(&pair[0]) >= reach(&pair[1])));
    assert_eq!((all.len(), reach(&all[0])), (130, 2));
}
