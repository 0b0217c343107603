//! What can be told from a listing alone: whether it is wanted, and whether the same business was listed before.

use std::collections::HashSet;

use polite_reader::names_own_site;

use super::Filters;
use super::coverage::LeftOut;
use crate::listing::{DedupKey, Listing, dedup_keys};

/// Keeps the listings a search wants, each business once.
#[derive(Debug)]
pub(super) struct ListingFilter {
    filters: Filters,
    seen: HashSet<DedupKey>,
}

/// What the filter says of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    pub(super) dedup_keys: Vec<DedupKey>,
    /// Why it is not wanted.
    pub(super) left_out: Option<LeftOut>,
}

impl ListingFilter {
    pub(super) fn new(filters: Filters) -> ListingFilter {
        ListingFilter { filters, seen: HashSet::new() }
    }

    /// Remembers listings that an earlier worker has judged.
    pub(super) fn remember(&mut self, dedup_keys: impl IntoIterator<Item = DedupKey>) {
        self.seen.extend(dedup_keys);
    }

    /// Judges a listing, and remembers it whether it is wanted or not.
    pub(super) fn judge(&mut self, listing: &Listing) -> Judgement {
        let dedup_keys = dedup_keys(listing);
        let is_known = dedup_keys.iter().any(|key| self.seen.contains(key));
        self.remember(dedup_keys.iter().copied());
        let left_out = if is_known { Some(LeftOut::Duplicate) } else { self.unwanted(listing) };
        Judgement { dedup_keys, left_out }
    }

    fn unwanted(&self, listing: &Listing) -> Option<LeftOut> {
        let Filters { min_rating, max_rating, min_reviews, max_reviews, has_website, has_phone, .. } = self.filters;
        if !within(listing.rating, min_rating, max_rating) {
            return Some(LeftOut::Rating);
        }
        if !within(listing.review_count.map(|count| count as f64), min_reviews, max_reviews) {
            return Some(LeftOut::Reviews);
        }
        // A page on a social network is no website of one's own, and is known by its address before anything is read.
        let has_own_site = || listing.website.as_deref().is_some_and(names_own_site);
        if has_website.is_some_and(|wanted| wanted != has_own_site()) {
            return Some(LeftOut::Website);
        }
        (has_phone == Some(true) && listing.phone.is_none()).then_some(LeftOut::Phone)
    }
}

/// Whether a value lies between two bounds. One that is not known lies only where nothing is asked.
fn within(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> bool {
    match value {
        Some(value) => low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high),
        None => low.is_none() && high.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(id: &str) -> Listing {
        Listing { business_id: id.into(), name: format!("Business {id}"), ..Listing::default() }
    }

    fn check(filters: Filters, listing: &Listing, expected: Option<LeftOut>) {
        assert_eq!(ListingFilter::new(filters).judge(listing).left_out, expected, "{filters:?} {listing:?}");
    }

    #[test]
    fn each_filter_leaves_out_what_it_names() {
        let bare = listing("a");
        let full = Listing {
            rating: Some(4.5),
            review_count: Some(10),
            website: Some("http://a.example".into()),
            phone: Some("+15125550100".into()),
            ..listing("b")
        };
        let all = Filters::default();
        check(all, &bare, None);
        check(Filters { min_rating: Some(4.5), ..all }, &full, None);
        check(Filters { min_rating: Some(4.6), ..all }, &full, Some(LeftOut::Rating));
        check(Filters { max_rating: Some(4.4), ..all }, &full, Some(LeftOut::Rating));
        check(Filters { max_rating: Some(5.0), ..all }, &bare, Some(LeftOut::Rating));
        check(Filters { min_reviews: Some(10.5), ..all }, &full, Some(LeftOut::Reviews));
        check(Filters { max_reviews: Some(9.0), ..all }, &full, Some(LeftOut::Reviews));
        check(Filters { max_reviews: Some(9.0), ..all }, &bare, Some(LeftOut::Reviews));
        check(Filters { min_reviews: Some(0.0), ..all }, &bare, Some(LeftOut::Reviews));
        check(Filters { has_website: Some(false), ..all }, &full, Some(LeftOut::Website));
        check(Filters { has_website: Some(true), ..all }, &bare, Some(LeftOut::Website));
        for website in ["https://www.facebook.com/b", "instagram.com/b", "n/a"] {
            let social = Listing { website: Some(website.into()), ..full.clone() };
            check(Filters { has_website: Some(true), ..all }, &social, Some(LeftOut::Website));
            check(Filters { has_website: Some(false), ..all }, &social, None);
        }
        check(Filters { has_phone: Some(true), ..all }, &bare, Some(LeftOut::Phone));
        check(Filters { has_phone: Some(false), ..all }, &full, None);
    }

    #[test]
    fn a_business_passes_once() {
        let mut filter = ListingFilter::new(Filters::default());
        let first = filter.judge(&listing("a"));
        assert_eq!(first.left_out, None);
        assert_eq!(filter.judge(&listing("a")).left_out, Some(LeftOut::Duplicate));
        let mut later = ListingFilter::new(Filters::default());
        later.remember(first.dedup_keys);
        assert_eq!(later.judge(&listing("a")).left_out, Some(LeftOut::Duplicate), "also for the next worker");
    }
}
