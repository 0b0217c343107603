//! One visit to a site: holds the host's slot and the one connection, paces requests, follows redirects and checks every hop.
//! All requests go through here.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use http::{StatusCode, Version};
use tokio::time::{Instant, sleep};
use url::Url;

use crate::address_guard::{AddressGuard, Refusal};
use crate::compressed::CompressedPage;
use crate::connection::Connection;
use crate::domain::site_of;
use crate::exchange::Exchange;
use crate::fetch::{FetchRequest, FetchResponse, ResourceKind};
use crate::fetch_error::FetchError;
use crate::figures;
use crate::limits::{
    LINKS_BYTES_MAX, LINKS_BYTES_MIN, REDIRECTS_MAX, RETRY_PAUSE, ROBOTS_REDIRECTS_MAX, URL_CHARS_MAX,
};
use crate::links::scan;
use crate::memory::MemoryReservation;
use crate::pacing::HostSlot;
use crate::page_choice::{PageChoices, choose};
use crate::reader_state::ReaderState;
use crate::report::PageKind;
use crate::retry::{RetryDecision, decide};
use crate::robots::{RobotsRules, robots_url};
use crate::social::social_name;

/// A page or script that was fetched.
pub(crate) struct FetchedResource {
    pub(crate) url: Url,
    pub(crate) answer: FetchResponse,
}

impl FetchedResource {
    /// The page in the form in which it is kept.
    pub(crate) fn keep(self, kind: PageKind) -> CompressedPage {
        let FetchResponse { content_type, body, .. } = self.answer;
        CompressedPage { url: self.url.into(), content_type, body, kind, plain: None }
    }
}

/// The state of a visit.
pub(crate) struct Visit<'r> {
    pub(crate) inner: &'r ReaderState,
    /// Where this visit may go.
    guard: AddressGuard,
    reservation: MemoryReservation,
    deadline: Instant,
    slot: Option<HostSlot>,
    connection: Option<Connection>,
    /// Robots rules fetched in this visit, by origin.
    rules: HashMap<String, Arc<RobotsRules>>,
}

/// Whether a request waits for the host's gap. The next hop of a redirect does not: it belongs to the same request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pause {
    Gap,
    None,
}

impl<'r> Visit<'r> {
    pub(crate) fn new(inner: &'r ReaderState, reservation: MemoryReservation, slot: Option<HostSlot>) -> Self {
        let deadline = Instant::now() + inner.settings.site_deadline;
        Self { inner, guard: inner.guard.clone(), reservation, deadline, slot, connection: None, rules: HashMap::new() }
    }

    /// Also allows those of the operator's exceptions that the start URLs name.
    pub(crate) fn starting_at(self, start_urls: &[Url]) -> Self {
        Self { guard: self.inner.guard.for_site(start_urls, &self.inner.settings.allowed_addresses), ..self }
    }

    /// Uses a connection that is already open.
    pub(crate) fn over(self, connection: Option<Connection>) -> Self {
        Self { connection, ..self }
    }

    /// Takes the open connection out of the visit.
    pub(crate) fn give_connection(&mut self) -> Option<Connection> {
        self.connection.take()
    }

    /// When the visit must end.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Fetches a URL if robots rules and the address guard allow it, following redirects.
    pub(crate) async fn fetch(&mut self, url: &Url, kind: ResourceKind) -> Result<FetchedResource, FetchError> {
        let mut url = url.clone();
        let mut pause = Pause::Gap;
        for _ in 0..=REDIRECTS_MAX {
            self.guard.check_url(&url)?;
            if let Some(name) = social_name(&url) {
                return Err(FetchError::RedirectToSocial(name, url));
            }
            let rules = self.rules_of(&url).await?;
            rules.check(&url).inspect_err(|_| figures::count_robots_refusal())?;
            self.take_slot(&url).await.obey_crawl_delay(rules.crawl_delay());
            let answer = self.send(FetchRequest { url: &url, kind }, pause).await?;
            match redirect_of(&url, &answer)? {
                Some(next) => url = next,
                None if answer.status.is_success() => return Ok(FetchedResource { url, answer }),
                None => return Err(FetchError::Status(answer.status.as_u16())),
            }
            pause = Pause::None;
        }
        Err(FetchError::TooManyRedirects)
    }

    /// Pages this visit has time for. A host with a long crawl delay is asked for fewer pages, by its rules and not by the
    /// clock, so that two reads of one site are comparable.
    pub(crate) fn pages_max(&self) -> usize {
        let settings = &self.inner.settings;
        let delay = self.slot.as_ref().map_or(Duration::ZERO, HostSlot::crawl_delay);
        let fitting = settings.site_deadline.as_millis() / 2 / delay.as_millis().max(1);
        usize::try_from(fitting).unwrap_or(usize::MAX).clamp(1, settings.pages_per_site_max)
    }

    /// Whether there is memory to keep a page decompressed.
    pub(crate) fn try_take_spare(&mut self, bytes: usize) -> bool {
        self.reservation.try_take_spare(bytes)
    }

    /// Chooses among the links of a page. The memory for their URLs is returned afterwards. They count as cut only when memory
    /// was scarce: links beyond the fixed limit are ignored on every read alike.
    pub(crate) fn choose(&mut self, page: &[u8], url: &Url) -> PageChoices {
        let taken_bytes = self.reservation.take_briefly(LINKS_BYTES_MAX);
        let chosen = choose(&scan(page), url, self.pages_max() - 1, taken_bytes.max(LINKS_BYTES_MIN));
        self.reservation.return_bytes(taken_bytes);
        let is_cut = chosen.is_cut && taken_bytes < LINKS_BYTES_MAX;
        if is_cut {
            self.reservation.record_shortage();
        }
        PageChoices { is_cut, ..chosen }
    }

    /// Returns the memory of a page that is not kept.
    pub(crate) fn release(&mut self, bytes: usize) {
        self.reservation.return_bytes(bytes);
    }

    /// Forgets that robots rules could not be fetched, so that they are requested again, and waits a little. `false` when
    /// there is no time for another attempt.
    pub(crate) async fn pause_before_retry(&mut self) -> bool {
        self.rules.retain(|_, rules| matches!(**rules, RobotsRules::Known(_)));
        let pause = self.retry_pause();
        let in_time = Instant::now() + pause < self.deadline;
        if in_time {
            sleep(pause).await;
        }
        in_time
    }

    fn retry_pause(&self) -> Duration {
        self.slot.as_ref().map_or(RETRY_PAUSE, HostSlot::retry_pause)
    }

    /// Ends the visit; the memory of what it read stays reserved.
    pub(crate) fn into_reservation(self) -> MemoryReservation {
        self.reservation
    }

    /// Gives up the connection and the host's slot.
    pub(crate) fn leave(&mut self) {
        self.connection = None;
        self.slot = None;
    }

    /// The robots rules of a URL's origin, fetched if not known yet.
    async fn rules_of(&mut self, url: &Url) -> Result<Arc<RobotsRules>, FetchError> {
        let origin = url.origin().ascii_serialization();
        let known = self.rules.get(&origin).cloned().or_else(|| self.inner.robots.get(&origin));
        if let Some(rules) = known {
            return Ok(rules);
        }
        let rules = Arc::new(self.fetch_rules(url).await?);
        self.rules.insert(origin.clone(), Arc::clone(&rules));
        if matches!(*rules, RobotsRules::Known(_)) {
            self.inner.robots.put(&origin, Arc::clone(&rules), rules.weight_bytes());
        }
        Ok(rules)
    }

    /// Fetches a `robots.txt`. Its redirects may lead to other hosts, which RFC 9309 wants followed. A file that cannot be
    /// fetched because the server is unreachable is an error, not permission.
    async fn fetch_rules(&mut self, url: &Url) -> Result<RobotsRules, FetchError> {
        let Some(FetchedResource { url, answer }) = self.fetch_robots(url).await? else {
            return Ok(RobotsRules::none());
        };
        let rules = self.parse_rules(&answer)?;
        if url.path() == "/robots.txt" {
            // Redirected or not, this is also that origin's own file.
            self.rules.insert(url.origin().ascii_serialization(), Arc::new(rules.clone()));
        }
        Ok(rules)
    }

    /// The response for the `robots.txt` of a URL's origin; `None` when redirects lead nowhere or it cannot be decompressed.
    pub(crate) async fn fetch_robots(&mut self, url: &Url) -> Result<Option<FetchedResource>, FetchError> {
        let Some(mut url) = robots_url(url) else { return Ok(None) };
        let mut pause = Pause::Gap;
        for _ in 0..=ROBOTS_REDIRECTS_MAX {
            self.guard.check_url(&url)?;
            let answer = match self.send(FetchRequest { url: &url, kind: ResourceKind::Robots }, pause).await {
                Err(FetchError::ContentEncoding(_)) => return Ok(None),
                answer => answer?,
            };
            match redirect_of(&url, &answer) {
                Ok(None) => return Ok(Some(FetchedResource { url, answer })),
                Ok(Some(next)) => url = next,
                Err(_) => return Ok(None),
            }
            pause = Pause::None;
        }
        Ok(None)
    }

    /// Parses the rules, which are larger than their file and stay for the whole visit.
    fn parse_rules(&mut self, answer: &FetchResponse) -> Result<RobotsRules, FetchError> {
        if answer.body.broke_off() {
            // The missing part may contain the very line that disallows us.
            return Err(FetchError::RobotsBrokeOff);
        }
        let rules = RobotsRules::of(answer, &self.inner.identity.token);
        self.reservation.return_bytes(answer.body.len());
        let weight = rules.weight_bytes();
        let taken = self.reservation.take_bytes(weight);
        if taken < weight {
            self.reservation.record_shortage();
            self.reservation.return_bytes(taken);
            return Err(FetchError::RobotsTooLong);
        }
        Ok(rules)
    }

    /// Sends a request, with retries where they help.
    async fn send(&mut self, request: FetchRequest<'_>, mut pause: Pause) -> Result<FetchResponse, FetchError> {
        let mut tries = 0;
        let mut broken_off = None;
        loop {
            let outcome = self.send_once(request, pause).await;
            let outcome = self.fuller(broken_off.take(), outcome);
            let left = self.deadline.saturating_duration_since(Instant::now());
            let busy = outcome.as_ref().is_ok_and(|answer| is_overload(answer.status));
            let wait = match decide(&outcome, tries, left, self.retry_pause()) {
                RetryDecision::Accept => None,
                RetryDecision::Retry(wait) => Some(wait),
            };
            if busy && let Some(slot) = &mut self.slot {
                slot.back_off(wait.unwrap_or_default());
            }
            let Some(wait) = wait else { return outcome };
            broken_off = outcome.ok().filter(|answer| answer.body.broke_off());
            // A slot that backed off waits longer than a short `Retry-After` asks for.
            sleep(wait).await;
            pause = Pause::Gap;
            tries += 1;
        }
    }

    /// Of a body that broke off and the result of a second attempt, the more complete one.
    fn fuller(
        &mut self,
        before: Option<FetchResponse>,
        outcome: Result<FetchResponse, FetchError>,
    ) -> Result<FetchResponse, FetchError> {
        let Some(before) = before else { return outcome };
        let (kept, dropped) = match outcome {
            Ok(answer) if !answer.body.broke_off() || answer.body.len() >= before.body.len() => (answer, before),
            Ok(answer) => (before, answer),
            Err(_) => return Ok(before),
        };
        self.reservation.return_bytes(dropped.body.len());
        Ok(kept)
    }

    async fn send_once(&mut self, request: FetchRequest<'_>, pause: Pause) -> Result<FetchResponse, FetchError> {
        let url = request.url;
        let slot = self.take_slot(url).await;
        if pause == Pause::Gap {
            slot.wait().await;
        }
        let reused = self.connection.as_ref().is_some_and(|connection| connection.serves(url));
        let mut outcome = self.send_over_connection(request).await;
        if reused && outcome.as_ref().is_err_and(|failure| *failure == FetchError::Closed) {
            // The server closed the idle connection; that is not an error of the site.
            outcome = self.send_over_connection(request).await;
        }
        let not_contacted = outcome.as_ref().is_err_and(FetchError::precedes_contact);
        if let Some(slot) = self.slot.as_mut().filter(|_| !not_contacted) {
            slot.request_done();
        }
        outcome
    }

    async fn send_over_connection(&mut self, request: FetchRequest<'_>) -> Result<FetchResponse, FetchError> {
        let url = request.url;
        let mut connection = match self.connection.take().filter(|connection| connection.serves(url)) {
            Some(connection) => connection,
            // Boxed, so that a site waiting between two pages does not keep space for either future.
            None => Box::pin(self.inner.connector.open(url, &self.guard)).await?,
        };
        if let Some(slot) = &mut self.slot {
            slot.request_begins();
        }
        let ReaderState { settings, identity, bodies, .. } = self.inner;
        let exchange = Exchange { settings, identity, bodies };
        let outcome = Box::pin(exchange.send(&mut connection, request, &mut self.reservation)).await;
        match &outcome {
            Ok(answer) if answer.body.is_whole() => self.connection = Some(connection),
            // Some hosts offer HTTP/2 and fail to speak it. The next attempt goes without.
            Err(FetchError::Closed) if connection.version() == Version::HTTP_2 => self.inner.connector.avoid_http2(url),
            Ok(answer) if answer.body.broke_off() && connection.version() == Version::HTTP_2 => {
                self.inner.connector.avoid_http2(url);
            }
            _ => {}
        }
        outcome
    }

    /// Makes sure that we hold the slot of a URL's host, releasing any other first so that two visits can never wait for each
    /// other.
    async fn take_slot(&mut self, url: &Url) -> &mut HostSlot {
        let site = site_of(url);
        if !self.slot.as_ref().is_some_and(|slot| slot.is_of(site)) {
            self.leave();
        }
        match &mut self.slot {
            Some(slot) => slot,
            none => none.insert(self.inner.pacing.slot(site).await),
        }
    }
}

/// Whether a status says that the server is overloaded by our requests.
fn is_overload(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 503)
}

/// Where a response redirects to, if it does.
fn redirect_of(url: &Url, answer: &FetchResponse) -> Result<Option<Url>, FetchError> {
    if !matches!(answer.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    if answer.location.as_ref().is_some_and(|location| location.chars().count() > URL_CHARS_MAX) {
        return Err(Refusal::TooLong.into());
    }
    let target = answer.location.as_ref().and_then(|location| url.join(location).ok());
    let mut target = target.ok_or(FetchError::RedirectNowhere)?;
    target.set_fragment(None);
    let _ = target.set_username("");
    let _ = target.set_password(None);
    Ok(Some(target))
}
