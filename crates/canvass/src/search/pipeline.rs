//! From listings to batches that can be delivered: listings are taken as there is use for them, judged, and their websites read
//! many at a time, each in a task of its own. Whatever is ready goes into the next batch; nothing waits for a slow website.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;
use tracing::Instrument;

use super::Search;
use super::batch::{Batch, Rejection};
use super::coverage::LeftOut;
use super::frontier::{Frontier, ListingState};
use super::halt::Halt;
use super::listing_filter::ListingFilter;
use super::page::{Page, PageEntry, Screening};
use super::read::{Candidate, ReadCandidate, ReadContext, ReadyLead};
use super::resume::Resumed;
use crate::db::DbError;
use crate::lead::place::Belongs;
use crate::lead::store as leads;
use crate::listing::{Cursor, DedupKey, Entry, SourceError};
use crate::measure;
use crate::steps::Step;

/// Leads delivered in one batch, about.
const BATCH_LEADS: usize = 64;
/// Listings judged in one go; and when those before were all owned, where each question to the database costs a round trip.
const TAKEN_LISTINGS_MAX: usize = 32;
const OWNED_LISTINGS_MAX: usize = 128;
/// Listings stored at once, about, when none of them has become a lead.
const PAGE_LISTINGS: usize = 256;
/// How long listings that were taken may stay unstored while websites are read.
const STORE_EVERY: Duration = Duration::from_secs(1);

/// The listings of one search on their way to becoming leads. Dropped, every read of a website ends.
pub(super) struct Pipeline {
    context: Arc<ReadContext>,
    /// Whose businesses to leave out, when the search skips those.
    skip_owned_by: Option<Belongs>,
    listings: Option<BoxStream<'static, Result<Entry, SourceError>>>,
    /// Listings at the beginning that an earlier version has settled.
    settled_before: i64,
    filter: ListingFilter,
    frontier: Frontier<Box<ReadyLead>>,
    reading: JoinSet<(i64, Result<ReadCandidate, Halt>)>,
    /// Listings taken and not judged.
    taken: Vec<Entry>,
    /// Listings judged for which there was no room yet.
    waiting: VecDeque<JudgedEntry>,
    /// How many listings the account owned, since the last one that it does not own.
    owned_in_a_row: usize,
    /// The rank of the last listing whose verdict counts.
    listed: i64,
    cursor: Option<Cursor>,
    /// Listings judged and not stored.
    page: Vec<PageEntry>,
    rejections: Vec<Rejection>,
    /// What the source said and is not stored.
    notes: Vec<String>,
    /// Leads that became ready since the last batch.
    ready: usize,
    store_at: Instant,
    halt: Option<Halt>,
}

/// A listing and what was decided about it.
struct JudgedEntry {
    entry: Entry,
    dedup_keys: Vec<DedupKey>,
    left_out: Option<LeftOut>,
}

/// What happened.
enum Event {
    /// A listing came or a website was read.
    Moved,
    /// It is time to store what was taken.
    StoreNow,
    /// Nothing is under way any more.
    Idle,
}

impl Pipeline {
    /// Goes on with a search. The listings begin behind its last stored one, or at the very beginning when an earlier version
    /// began it without a cursor.
    pub(super) fn new(
        context: ReadContext,
        search: &Search,
        resumed: Resumed,
        listings: BoxStream<'static, Result<Entry, SourceError>>,
    ) -> Pipeline {
        let by = Belongs { account: search.account, search: search.id };
        let mut pipeline = Pipeline {
            context: Arc::new(context),
            skip_owned_by: search.request.filters.skips_owned().then_some(by),
            listings: Some(listings),
            settled_before: search.settled_without_cursor().unwrap_or(0),
            filter: resumed.filter,
            frontier: resumed.frontier,
            reading: JoinSet::new(),
            taken: Vec::new(),
            waiting: VecDeque::new(),
            owned_in_a_row: 0,
            listed: search.listed.max(search.position),
            cursor: None,
            page: Vec::new(),
            rejections: Vec::new(),
            notes: Vec::new(),
            ready: 0,
            store_at: Instant::now() + STORE_EVERY,
            halt: None,
        };
        resumed.candidates.into_iter().for_each(|candidate| pipeline.read(candidate));
        pipeline
    }

    /// The next batch; waits until there is one. `None` when nothing is left to be settled, or [`Pipeline::halt`] says why.
    pub(super) async fn next(&mut self) -> Result<Option<Batch>, DbError> {
        loop {
            let event = self.event().await;
            // Whatever else is ready right now belongs to the same batch.
            while self.ready < BATCH_LEADS && matches!(self.event().now_or_never(), Some(Event::Moved)) {}
            self.judge_taken().await?;
            self.reject_suppressed().await?;
            let is_due = !matches!(event, Event::Moved) || self.page.len() >= PAGE_LISTINGS;
            if let Some(batch) = self.batch(is_due) {
                return Ok(Some(batch));
            }
            if matches!(event, Event::Idle) {
                return Ok(None);
            }
        }
    }

    /// Why nothing more comes, when that is not because everything is settled.
    pub(super) fn halt(self) -> Option<Halt> {
        self.halt
    }

    /// Takes a listing or a read website, whichever comes first.
    async fn event(&mut self) -> Event {
        if self.admit() {
            return Event::Moved;
        }
        let wants_more = self.wants_more();
        let has_unstored = !self.page.is_empty();
        tokio::select! {
            biased;
            Some(read) = self.reading.join_next() => self.settle(read),
            entry = next_of(&mut self.listings), if wants_more => self.take(entry),
            () = tokio::time::sleep_until(self.store_at), if has_unstored && !self.reading.is_empty() => Event::StoreNow,
            else => Event::Idle,
        }
    }

    fn wants_more(&self) -> bool {
        let room = self.frontier.room();
        // The next are likely to be owned too; what is not waits for room.
        let ahead = (self.owned_in_a_row * 2).min(OWNED_LISTINGS_MAX);
        let is_open = self.halt.is_none() && self.listings.is_some() && self.waiting.is_empty() && room > 0;
        is_open && self.taken.len() < room.min(TAKEN_LISTINGS_MAX).max(ahead)
    }

    fn take(&mut self, entry: Option<Result<Entry, SourceError>>) -> Event {
        match entry {
            Some(Ok(entry)) if self.settled_before > 0 => {
                self.settled_before -= 1;
                self.filter.judge(&entry.listing);
            }
            Some(Ok(entry)) => {
                measure::listing_taken(&self.context.about.name, 1);
                self.taken.push(entry);
            }
            Some(Err(error)) => {
                measure::source_failed(&self.context.about.name, error.kind());
                self.halt = Some(Halt::Source(error));
            }
            None => self.listings = None,
        }
        Event::Moved
    }

    fn settle(&mut self, read: Result<(i64, Result<ReadCandidate, Halt>), JoinError>) -> Event {
        match read {
            Ok((rank, Ok(ReadCandidate::Lead(lead)))) => {
                self.ready += 1;
                self.frontier.set(rank, ListingState::Ready(lead));
            }
            Ok((rank, Ok(ReadCandidate::Rejected(reason, site)))) => {
                self.rejections.push(Rejection { rank, reason, site });
                self.frontier.set(rank, ListingState::Rejected(reason, site));
            }
            Ok((_, Err(halt))) => {
                self.halt.get_or_insert(halt);
            }
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => {
                    self.halt.get_or_insert(Halt::Interrupted("the process is stopping".to_owned()));
                }
            },
        }
        Event::Moved
    }

    /// Judges what was taken, and begins to read the websites of those that pass.
    async fn judge_taken(&mut self) -> Result<(), DbError> {
        let taken = std::mem::take(&mut self.taken);
        if taken.is_empty() {
            return Ok(());
        }
        if self.listed == 0 {
            self.context.app.steps.reach(Step::Listed);
        }
        let judged: Vec<_> = taken.iter().map(|entry| self.filter.judge(&entry.listing)).collect();
        let owned = match self.skip_owned_by {
            Some(by) => {
                let passed = judged.iter().filter(|judged| judged.left_out.is_none());
                let keys: Vec<DedupKey> = passed.flat_map(|judged| judged.dedup_keys.iter().copied()).collect();
                leads::owned(&self.context.app.db, by, &keys).await?
            }
            None => HashSet::new(),
        };
        let suppressed = self.context.app.suppressions.current().await?;
        for (entry, judged) in taken.into_iter().zip(judged) {
            let is_owned = judged.dedup_keys.iter().any(|key| owned.contains(key));
            let is_suppressed = suppressed.covers_listing(&entry.listing);
            let left_out = judged.left_out.or(is_suppressed.then_some(LeftOut::Suppressed));
            let left_out = left_out.or(is_owned.then_some(LeftOut::Owned));
            self.waiting.push_back(JudgedEntry { entry, dedup_keys: judged.dedup_keys, left_out });
        }
        self.admit();
        Ok(())
    }

    /// Adds listings that were judged, as long as there is room; says whether there was one.
    fn admit(&mut self) -> bool {
        let before = self.listed;
        while self.frontier.room() > 0
            && let Some(judged) = self.waiting.pop_front()
        {
            self.add(judged);
        }
        self.listed > before
    }

    /// Rejects leads that were suppressed while they waited to be delivered, so that nobody pays for them.
    async fn reject_suppressed(&mut self) -> Result<(), DbError> {
        let suppressed = self.context.app.suppressions.current().await?;
        if suppressed.is_empty() {
            return Ok(());
        }
        let reason = LeftOut::Suppressed;
        let rejected =
            self.frontier.reject_ready(|lead| suppressed.covers_lead(&lead.found.lead).then_some((reason, lead.site)));
        self.rejections.extend(rejected.into_iter().map(|(rank, site)| Rejection { rank, reason, site }));
        Ok(())
    }

    fn add(&mut self, JudgedEntry { entry, dedup_keys, left_out }: JudgedEntry) {
        self.listed += 1;
        match left_out {
            Some(LeftOut::Owned) => self.owned_in_a_row += 1,
            Some(_) => {}
            None => self.owned_in_a_row = 0,
        }
        self.cursor = Some(entry.next);
        self.notes.extend(entry.notes);
        let verdict = match left_out {
            Some(reason) => {
                self.frontier.set(self.listed, ListingState::LeftOut(reason));
                Screening::LeftOut(reason)
            }
            None => {
                let listing = entry.listing.clone();
                self.read(Candidate { rank: self.listed, listing, dedup_keys: dedup_keys.clone() });
                Screening::Candidate(Box::new(entry.listing))
            }
        };
        self.page.push(PageEntry { dedup_keys, verdict });
    }

    fn read(&mut self, candidate: Candidate) {
        let (rank, context) = (candidate.rank, self.context.clone());
        self.frontier.set(rank, ListingState::Reading);
        self.reading.spawn(async move { (rank, context.read(candidate).await) }.in_current_span());
    }

    /// What can be stored, when there is a lead or a rejection in it, or `is_due` says that listings alone are worth it.
    fn batch(&mut self, is_due: bool) -> Option<Batch> {
        let leads = self.frontier.take_deliverable();
        let stores_page = is_due && !self.page.is_empty();
        if leads.is_empty() && self.rejections.is_empty() && !stores_page {
            return None;
        }
        (self.ready, self.store_at) = (0, Instant::now() + STORE_EVERY);
        let entries = std::mem::take(&mut self.page);
        let first_rank = self.listed + 1 - i64::try_from(entries.len()).unwrap_or(0);
        let counts = self.frontier.advance();
        Some(Batch {
            leads,
            rejections: std::mem::take(&mut self.rejections),
            page: (!entries.is_empty()).then_some(Page { first_rank, entries }),
            cursor: self.cursor.take(),
            listed: self.listed,
            settled_to: self.frontier.settled_to(),
            counts,
            notes: std::mem::take(&mut self.notes),
        })
    }
}

async fn next_of(
    listings: &mut Option<BoxStream<'static, Result<Entry, SourceError>>>,
) -> Option<Result<Entry, SourceError>> {
    listings.as_mut()?.next().await
}
