//! One visit to a site: holds the host's turn and the one connection, asks politely, follows
//! redirects by hand and checks every hop. Whatever is fetched, is fetched through here.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use tokio::time::{Instant, sleep};
use url::Url;

use crate::address_guard::Refusal;
use crate::connect::Connection;
use crate::exchange::{Answer, Terms, Want};
use crate::failure::Failure;
use crate::kept::KeptPage;
use crate::limits::{LINKS_BYTES_MAX, REDIRECTS_MAX, RETRY_PAUSE, ROBOTS_REDIRECTS_MAX, URL_CHARS_MAX};
use crate::memory::Hold;
use crate::pacing::Turn;
use crate::reader::Inner;
use crate::report::PageKind;
use crate::retry::{Next, next};
use crate::robots::{Rules, robots_url};
use crate::site_address::site_of;
use crate::social::social_name;

/// A page or script that was found.
pub(crate) struct Fetched {
    pub(crate) url: Url,
    pub(crate) answer: Answer,
}

impl Fetched {
    /// The page as it is kept.
    pub(crate) fn keep(self, kind: PageKind) -> KeptPage {
        let Answer { content_type, body, .. } = self.answer;
        KeptPage { url: self.url.into(), content_type, body, kind, opened: None }
    }
}

/// The state of a visit.
pub(crate) struct Visit<'r> {
    pub(crate) inner: &'r Inner,
    hold: Hold,
    deadline: Instant,
    turn: Option<Turn>,
    connection: Option<Connection>,
    /// Rules learnt in this visit, by origin.
    rules: HashMap<String, Arc<Rules>>,
}

/// Whether a request waits for the host's gap. A redirect's next hop does not: it is the same question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pause {
    Gap,
    None,
}

impl<'r> Visit<'r> {
    pub(crate) fn new(inner: &'r Inner, hold: Hold, turn: Option<Turn>) -> Self {
        let deadline = Instant::now() + inner.settings.site_deadline;
        Self { inner, hold, deadline, turn, connection: None, rules: HashMap::new() }
    }

    /// The same visit over a connection that is open already.
    pub(crate) fn over(self, connection: Option<Connection>) -> Self {
        Self { connection, ..self }
    }

    /// Hands the open connection on.
    pub(crate) fn give_connection(&mut self) -> Option<Connection> {
        self.connection.take()
    }

    /// When the visit must be over.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Fetches a URL if robots rules and the address guard let us, following redirects.
    pub(crate) async fn fetch(&mut self, url: &Url, want: Want) -> Result<Fetched, Failure> {
        let mut url = url.clone();
        let mut pause = Pause::Gap;
        for _ in 0..=REDIRECTS_MAX {
            self.inner.connector.check_url(&url)?;
            if let Some(name) = social_name(&url) {
                return Err(Failure::RedirectToSocial(name, url));
            }
            let rules = self.rules_of(&url).await?;
            rules.check(&url)?;
            self.take_turn(&url).await.obey_crawl_delay(rules.crawl_delay());
            let answer = self.ask((&url, want), pause).await?;
            match redirect_of(&url, &answer)? {
                Some(next) => url = next,
                None if answer.status.is_success() => return Ok(Fetched { url, answer }),
                None => return Err(Failure::Status(answer.status.as_u16())),
            }
            pause = Pause::None;
        }
        Err(Failure::TooManyRedirects)
    }

    /// Pages this visit has time for. A host that wants long gaps is asked for fewer pages, by its
    /// own rules and not by the clock, so that two reads of one site compare.
    pub(crate) fn pages_max(&self) -> usize {
        let settings = &self.inner.settings;
        let delay = self.turn.as_ref().map_or(Duration::ZERO, Turn::crawl_delay);
        let fitting = settings.site_deadline.as_millis() / 2 / delay.as_millis().max(1);
        usize::try_from(fitting).unwrap_or(usize::MAX).clamp(1, settings.pages_per_site_max)
    }

    /// Whether there is memory to spare, so that a page may stay open.
    pub(crate) fn affords(&mut self, bytes: usize) -> bool {
        self.hold.affords(bytes)
    }

    /// Runs `choose` with the bytes of the memory that the addresses behind a page's links may take, all of which is
    /// free again afterwards. `None` when there is not enough of it now.
    pub(crate) fn with_room_for_links<T>(&mut self, choose: impl FnOnce(usize) -> T) -> Option<T> {
        let room_bytes = self.hold.take_bytes(LINKS_BYTES_MAX);
        let chosen = (room_bytes == LINKS_BYTES_MAX).then(|| choose(room_bytes));
        self.hold.return_bytes(room_bytes);
        chosen
    }

    /// Gives back the memory of a page that is not kept.
    pub(crate) fn let_go(&mut self, bytes: usize) {
        self.hold.return_bytes(bytes);
    }

    /// Forgets that robots rules could not be had, so that they are asked for again, and waits a little. `false` when
    /// there is no time left for another attempt.
    pub(crate) async fn pause_before_retry(&mut self) -> bool {
        self.rules.retain(|_, rules| matches!(**rules, Rules::Known(_)));
        let in_time = Instant::now() + RETRY_PAUSE < self.deadline;
        if in_time {
            sleep(RETRY_PAUSE).await;
        }
        in_time
    }

    /// Ends the visit; what it has brought home stays paid for.
    pub(crate) fn into_hold(self) -> Hold {
        self.hold
    }

    /// Gives up connection and turn, so that others can have them.
    pub(crate) fn leave(&mut self) {
        self.connection = None;
        self.turn = None;
    }

    /// The rules of a URL's origin, fetched where they are not known yet.
    async fn rules_of(&mut self, url: &Url) -> Result<Arc<Rules>, Failure> {
        let origin = url.origin().ascii_serialization();
        let known = self.rules.get(&origin).cloned().or_else(|| self.inner.robots.get(&origin));
        if let Some(rules) = known {
            return Ok(rules);
        }
        let rules = Arc::new(self.fetch_rules(url).await?);
        self.rules.insert(origin.clone(), Arc::clone(&rules));
        if matches!(*rules, Rules::Known(_)) {
            self.inner.robots.put(&origin, Arc::clone(&rules), rules.weight_bytes());
        }
        Ok(rules)
    }

    /// Fetches a `robots.txt`. Its redirects lead to other hosts at times, which RFC 9309 wants followed;
    /// a file that cannot be reached for want of a server is the caller's failure, not permission.
    async fn fetch_rules(&mut self, url: &Url) -> Result<Rules, Failure> {
        let Some(mut url) = robots_url(url) else { return Ok(Rules::none()) };
        let mut pause = Pause::Gap;
        for _ in 0..=ROBOTS_REDIRECTS_MAX {
            self.inner.connector.check_url(&url)?;
            let answer = match self.ask((&url, Want::Robots), pause).await {
                Err(Failure::Encoding(_)) => return Ok(Rules::none()),
                answer => answer?,
            };
            match redirect_of(&url, &answer) {
                Ok(None) => {
                    let rules = self.parse_rules(&answer)?;
                    if url.path() == "/robots.txt" {
                        // Redirected or not, this is also that origin's own file.
                        self.rules.insert(url.origin().ascii_serialization(), Arc::new(rules.clone()));
                    }
                    return Ok(rules);
                }
                Ok(Some(next)) => url = next,
                Err(_) => return Ok(Rules::none()),
            }
            pause = Pause::None;
        }
        Ok(Rules::none())
    }

    /// Reads the rules, which are larger than their file and stay as long as the visit.
    fn parse_rules(&mut self, answer: &Answer) -> Result<Rules, Failure> {
        if answer.body.broke_off() {
            // What is missing may be the very line that keeps us out.
            return Err(Failure::RobotsBrokeOff);
        }
        let rules = Rules::of(answer, &self.inner.identity.token);
        self.hold.return_bytes(answer.body.len());
        let weight = rules.weight_bytes();
        let taken = self.hold.take_bytes(weight);
        if taken < weight {
            self.hold.return_bytes(taken);
            return Err(Failure::RobotsTooLong);
        }
        Ok(rules)
    }

    /// Asks once, and again where that helps.
    async fn ask(&mut self, question: (&Url, Want), mut pause: Pause) -> Result<Answer, Failure> {
        let mut tries = 0;
        let mut broken_off = None;
        loop {
            let outcome = self.ask_once(question, pause).await;
            let outcome = self.fuller(broken_off.take(), outcome);
            let left = self.deadline.saturating_duration_since(Instant::now());
            let busy = outcome.as_ref().is_ok_and(|answer| asks_for_peace(answer.status));
            let wait = match next(&outcome, tries, left) {
                Next::Accept => None,
                Next::Again(wait) => Some(wait),
            };
            if busy && let Some(turn) = &mut self.turn {
                turn.back_off(wait.unwrap_or_default());
            }
            let Some(wait) = wait else { return outcome };
            broken_off = outcome.ok().filter(|answer| answer.body.broke_off());
            // A turn that backed off waits longer than a short `Retry-After` asks for.
            sleep(wait).await;
            pause = Pause::Gap;
            tries += 1;
        }
    }

    /// Of a body that broke off and what a second attempt brought, the one that says more.
    fn fuller(&mut self, before: Option<Answer>, outcome: Result<Answer, Failure>) -> Result<Answer, Failure> {
        let Some(before) = before else { return outcome };
        let (kept, dropped) = match outcome {
            Ok(answer) if !answer.body.broke_off() || answer.body.len() >= before.body.len() => (answer, before),
            Ok(answer) => (before, answer),
            Err(_) => return Ok(before),
        };
        self.hold.return_bytes(dropped.body.len());
        Ok(kept)
    }

    async fn ask_once(&mut self, question: (&Url, Want), pause: Pause) -> Result<Answer, Failure> {
        let (url, _) = question;
        let turn = self.take_turn(url).await;
        if pause == Pause::Gap {
            turn.wait().await;
        }
        let reused = self.connection.as_ref().is_some_and(|connection| connection.serves(url));
        let mut outcome = self.ask_over_connection(question).await;
        if reused && outcome.as_ref().is_err_and(|failure| *failure == Failure::Closed) {
            // The server closed the idle connection under us; that is no failure of the site.
            outcome = self.ask_over_connection(question).await;
        }
        let nobody_was_asked = outcome.as_ref().is_err_and(Failure::reached_nobody);
        if let Some(turn) = self.turn.as_mut().filter(|_| !nobody_was_asked) {
            turn.asked();
        }
        outcome
    }

    async fn ask_over_connection(&mut self, question: (&Url, Want)) -> Result<Answer, Failure> {
        let (url, _) = question;
        let mut connection = match self.connection.take().filter(|connection| connection.serves(url)) {
            Some(connection) => connection,
            // Boxed, so that a site that waits between two pages does not keep room for either.
            None => Box::pin(self.inner.connector.open(url)).await?,
        };
        let Inner { settings, identity, bodies, .. } = self.inner;
        let terms = Terms { settings, identity, bodies };
        let outcome = Box::pin(terms.ask(&mut connection, question, &mut self.hold)).await;
        if outcome.as_ref().is_ok_and(|answer| answer.body.is_whole()) {
            self.connection = Some(connection);
        }
        outcome
    }

    /// Makes sure that it is our turn with a URL's host, giving up any other turn first so that
    /// two visits can never wait for each other.
    async fn take_turn(&mut self, url: &Url) -> &mut Turn {
        let site = site_of(url);
        if !self.turn.as_ref().is_some_and(|turn| turn.is_of(site)) {
            self.leave();
        }
        match &mut self.turn {
            Some(turn) => turn,
            none => none.insert(self.inner.pacing.turn(site).await),
        }
    }
}

/// Statuses by which a server says that we are too much for it.
fn asks_for_peace(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 503)
}

/// Where an answer redirects to, if it does.
fn redirect_of(url: &Url, answer: &Answer) -> Result<Option<Url>, Failure> {
    if !matches!(answer.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    if answer.location.as_ref().is_some_and(|location| location.chars().count() > URL_CHARS_MAX) {
        return Err(Refusal::TooLong.into());
    }
    let target = answer.location.as_ref().and_then(|location| url.join(location).ok());
    let mut target = target.ok_or(Failure::RedirectNowhere)?;
    target.set_fragment(None);
    let _ = target.set_username("");
    let _ = target.set_password(None);
    Ok(Some(target))
}
