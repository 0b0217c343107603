//! What can be told from a listing alone: whether it is wanted, and whether it was there before.

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

impl ListingFilter {
    pub(super) fn new(filters: Filters) -> ListingFilter {
        ListingFilter { filters, seen: HashSet::new() }
    }

    /// The marks of a listing that passes, or why it does not. Every listing counts as seen, wanted or not.
    pub(super) fn judge(&mut self, listing: &Listing) -> Result<Vec<DedupKey>, LeftOut> {
        let dedup_keys = dedup_keys(listing);
        let known = dedup_keys.iter().any(|dedup_key| self.seen.contains(dedup_key));
        self.seen.extend(dedup_keys.iter().copied());
        if known {
            return Err(LeftOut::Duplicate);
        }
        self.unwanted(listing).map_or(Ok(dedup_keys), Err)
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
        assert_eq!(ListingFilter::new(filters).judge(listing).err(), expected, "{filters:?} {listing:?}");
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
        let mut listing_filter = ListingFilter::new(Filters::default());
        assert!(listing_filter.judge(&listing("a")).is_ok());
        assert_eq!(listing_filter.judge(&listing("a")), Err(LeftOut::Duplicate));
    }
}
