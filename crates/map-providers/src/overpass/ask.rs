//! Gets one query answered: waits for a slot, takes no for an answer for a while, and goes on to the next server.

use std::time::Duration;

use bytes::Bytes;
use http::Method;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use tokio::time::sleep;
use url::{Url, form_urlencoded};

use super::answer::{self, Document, Excess, QueryOutcome, outcome};
use super::status::Status;
use super::{NAME, OverpassSettings, QUERY, STATUS};
use crate::{Call, CallError, Gateway, Pace, ProviderError, Reply};

/// How often one server is asked the same while it is busy.
const TRIES_MAX: u32 = 4;
/// How often servers that are out of order are tried again, each after all others.
const ROUNDS_MAX: u32 = 2;
/// How much longer than its work on a query a server's answer may take: it may queue the query first, and has to send the answer.
const ANSWER_SLACK: Duration = Duration::from_secs(30);
const STATUS_TIMEOUT: Duration = Duration::from_secs(15);
const STATUS_BYTES_MAX: usize = 64 * 1024;
/// The last part of an address.
const INTERPRETER: &str = "interpreter";

/// What came of a query.
#[derive(Debug)]
pub(super) enum Asked {
    /// The answer.
    Whole(Document),
    /// A smaller area must be asked about.
    TooMuch(Excess),
}

/// Whether a server can be asked now.
enum Slot {
    /// Yes; this many queries may run at once.
    Free(u32),
    /// Not within the time that may be waited.
    Busy(Duration),
    /// It does not even say so.
    Failing(String),
}

/// The servers, and the way to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Servers<'a> {
    settings: &'a OverpassSettings,
    gateway: &'a dyn Gateway,
}

/// How long may still be waited.
struct Patience(Duration);

impl Patience {
    /// Waits. `false` without waiting when it would take too long.
    async fn wait(&mut self, wait: Duration) -> bool {
        let Some(left) = self.0.checked_sub(wait) else { return false };
        self.0 = left;
        sleep(wait).await;
        true
    }
}

impl<'a> Servers<'a> {
    pub(super) fn new(settings: &'a OverpassSettings, gateway: &'a dyn Gateway) -> Servers<'a> {
        Servers { settings, gateway }
    }

    pub(super) fn all(&self) -> &'a [Url] {
        &self.settings.endpoints
    }

    /// Asks one server after the other until one answers.
    pub(super) async fn ask(&self, query: &str) -> Result<Asked, ProviderError> {
        if let Some(asked) = self.stored(query).await? {
            return Ok(asked);
        }
        let mut failures: Vec<QueryOutcome> = Vec::new();
        let mut servers: Vec<&Url> = self.all().iter().collect();
        for round in 0..ROUNDS_MAX {
            let mut failing = Vec::new();
            for server in servers {
                match self.ask_server(server, query).await? {
                    QueryOutcome::Whole(document) => return Ok(Asked::Whole(document)),
                    QueryOutcome::TooMuch(excess) => return Ok(Asked::TooMuch(excess)),
                    failure @ QueryOutcome::Failing(_) => {
                        failing.push(server);
                        failures.push(failure);
                    }
                    failure => failures.push(failure),
                }
            }
            servers = failing;
            if !servers.is_empty() && round + 1 < ROUNDS_MAX {
                sleep(self.settings.pause).await;
            }
        }
        Err(failure(&failures))
    }

    /// The stored answer of any of the servers: then none has to be asked whether it has time.
    async fn stored(&self, query: &str) -> Result<Option<Asked>, ProviderError> {
        for server in self.all() {
            let call = self.query_call(server, query, self.settings.slots_max);
            if self.gateway.is_stored(&call).await
                && let QueryOutcome::Whole(document) = outcome(self.gateway.call(&call).await)?
            {
                return Ok(Some(Asked::Whole(document)));
            }
        }
        Ok(None)
    }

    /// Asks one server, again and again while it is busy and patience lasts.
    async fn ask_server(&self, server: &Url, query: &str) -> Result<QueryOutcome, ProviderError> {
        let mut patience = Patience(self.settings.wait_max);
        for attempt in 0..TRIES_MAX {
            let slots = match self.wait_for_slot(server, &mut patience).await? {
                Slot::Free(slots) => slots,
                Slot::Busy(after) => return Ok(QueryOutcome::Busy(Some(after))),
                Slot::Failing(reason) => return Ok(QueryOutcome::Failing(reason)),
            };
            match self.send(server, query, slots).await? {
                QueryOutcome::Busy(told) => {
                    let wait = told.unwrap_or(self.settings.pause * 2_u32.pow(attempt));
                    if attempt + 1 == TRIES_MAX || !patience.wait(wait).await {
                        return Ok(QueryOutcome::Busy(told));
                    }
                }
                outcome => return Ok(outcome),
            }
        }
        Ok(QueryOutcome::Busy(None))
    }

    /// Sends a query at once.
    pub(super) async fn send(&self, server: &Url, query: &str, slots: u32) -> Result<QueryOutcome, ProviderError> {
        let reply = self.gateway.call(&self.query_call(server, query, slots)).await;
        Ok(outcome(reply)?)
    }

    /// Waits until the server says that it has a free slot. A server without a status page that can be read is asked right away.
    async fn wait_for_slot(&self, server: &Url, patience: &mut Patience) -> Result<Slot, ProviderError> {
        loop {
            let wait = match self.status(server).await {
                Err(error @ (CallError::Unreachable(_) | CallError::TimedOut(_))) => {
                    return Ok(Slot::Failing(error.to_string()));
                }
                Err(error) => return Err(error.into()),
                Ok(None) => return Ok(Slot::Free(self.settings.slots_max)),
                Ok(Some(status)) => match status.wait(self.settings.pause) {
                    Some(wait) => wait,
                    None if status.rate_limit == 0 => return Ok(Slot::Free(self.settings.slots_max)),
                    None => return Ok(Slot::Free(self.settings.slots_max.min(status.rate_limit))),
                },
            };
            if !patience.wait(wait).await {
                return Ok(Slot::Busy(wait));
            }
        }
    }

    /// What the server says about its slots; `None` when it says nothing that can be read.
    pub(super) async fn status(&self, server: &Url) -> Result<Option<Status>, CallError> {
        let call = self.status_call(server);
        match self.gateway.call(&call).await {
            Ok(reply) if reply.status == 200 => Ok(Status::read(&String::from_utf8_lossy(&reply.body))),
            Ok(_) | Err(CallError::TooLarge(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn query_call(&self, server: &Url, query: &str, slots: u32) -> Call {
        let form = form_urlencoded::Serializer::new(String::new()).append_pair("data", query).finish();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        Call {
            provider: NAME,
            kind: QUERY,
            method: Method::POST,
            url: address(server, INTERPRETER),
            headers,
            secrets: HeaderMap::new(),
            secret_query: None,
            body: form.into(),
            answer_max: self.settings.answer_bytes_max,
            timeout: self.settings.timeout + ANSWER_SLACK,
            fresh_for: self.settings.fresh_for,
            is_worth_storing: answer::is_whole,
            pace: Pace { interval: self.settings.interval, concurrent_max: slots.max(1) },
        }
    }

    fn status_call(&self, server: &Url) -> Call {
        Call {
            kind: STATUS,
            method: Method::GET,
            url: address(server, STATUS),
            headers: HeaderMap::new(),
            body: Bytes::new(),
            answer_max: STATUS_BYTES_MAX,
            timeout: STATUS_TIMEOUT,
            fresh_for: Duration::ZERO,
            is_worth_storing: |_: &Reply| false,
            pace: Pace { interval: Duration::ZERO, concurrent_max: self.settings.slots_max.max(1) },
            ..self.query_call(server, "", 1)
        }
    }
}

/// One of the addresses of a server, whose own may end in `/`, `/api` or `/api/interpreter`.
fn address(server: &Url, last: &str) -> Url {
    let mut url = server.clone();
    let is_bare = matches!(url.path(), "" | "/");
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty();
        if is_bare {
            segments.push("api");
        }
    }
    let ends_in_interpreter = url.path().ends_with(&format!("/{INTERPRETER}"));
    if let Ok(mut segments) = url.path_segments_mut() {
        if ends_in_interpreter {
            segments.pop();
        }
        segments.push(last);
    }
    url
}

/// The sentence for what all servers did. One that is busy is worth coming back to, whatever the others said.
pub(super) fn failure(failures: &[QueryOutcome]) -> ProviderError {
    let mut reasons = Vec::new();
    let (mut is_busy, mut waits, mut refusal) = (false, Vec::new(), None);
    for failure in failures {
        match failure {
            QueryOutcome::Busy(after) => {
                is_busy = true;
                waits.extend(*after);
            }
            QueryOutcome::Failing(reason) => reasons.push(reason.as_str()),
            QueryOutcome::Refused(reason) => refusal = refusal.or(Some(*reason)),
            QueryOutcome::Whole(_) | QueryOutcome::TooMuch(_) => {}
        }
    }
    if is_busy {
        let reason = "the OpenStreetMap server is busy and asks to come back later".to_owned();
        return ProviderError::Transient { reason, after: waits.into_iter().min() };
    }
    match (reasons.last(), refusal) {
        (Some(reason), _) => ProviderError::Transient {
            reason: format!("the OpenStreetMap server is out of order: {reason}"),
            after: None,
        },
        (None, Some(reason)) => ProviderError::Permanent(format!("the OpenStreetMap server {reason}")),
        (None, None) => ProviderError::Permanent("no OpenStreetMap server is set up".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::Mutex;

    use futures::FutureExt;
    use futures::future::{BoxFuture, ready};
    use tokio::time::Instant;

    use super::*;

    const FREE: &str = "Rate limit: 2\n2 slots available now.\n";
    const WHOLE: &str = r#"{"elements":[]}"#;

    /// Replies in a fixed order; notes what was asked when.
    #[derive(Debug)]
    struct ScriptedGateway {
        replies: Mutex<VecDeque<Result<Reply, CallError>>>,
        asked: Mutex<Vec<(u64, &'static str, u32)>>,
        start: Instant,
    }

    impl ScriptedGateway {
        fn new(replies: Vec<Result<Reply, CallError>>) -> ScriptedGateway {
            ScriptedGateway { replies: Mutex::new(replies.into()), asked: Mutex::default(), start: Instant::now() }
        }

        /// When which kind of call was made, in seconds from the start.
        fn asked(&self) -> Vec<(u64, &'static str)> {
            self.asked.lock().unwrap().iter().map(|(at, kind, _)| (*at, *kind)).collect()
        }
    }

    impl Gateway for ScriptedGateway {
        fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Reply, CallError>> {
            let at = self.start.elapsed().as_secs();
            self.asked.lock().unwrap().push((at, call.kind, call.pace.concurrent_max));
            let reply = self.replies.lock().unwrap().pop_front();
            ready(reply.unwrap_or_else(|| Err(CallError::Unreachable("the script has ended".to_owned())))).boxed()
        }
    }

    fn said(status: u16, retry_after: Option<u64>, body: &str) -> Result<Reply, CallError> {
        let body = Bytes::copy_from_slice(body.as_bytes());
        Ok(Reply { status, retry_after: retry_after.map(Duration::from_secs), body })
    }

    fn settings(count: usize) -> OverpassSettings {
        OverpassSettings::at(vec![Url::parse("https://example.org/api/interpreter").unwrap(); count])
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_server_asks_to_wait_is_waited() {
        let cooling = "Rate limit: 2\nSlot available after: 2026-11-02T10:00:12Z, in 12 seconds.\n";
        let running = "Rate limit: 1\nCurrently running queries (...):\n7\t1\t1\t2026-11-02T10:00:00Z\n";
        let busy = r#"{"elements":[],"remark":"runtime error: Dispatcher_Client::request_read_and_idx::timeout."}"#;
        let whole = || said(200, None, WHOLE);
        let free = || said(200, None, FREE);
        let cases = [
            (vec![free(), whole()], vec![(0, STATUS), (0, QUERY)]),
            (vec![said(200, None, cooling), free(), whole()], vec![(0, STATUS), (13, STATUS), (13, QUERY)]),
            (vec![said(200, None, running), free(), whole()], vec![(0, STATUS), (3, STATUS), (3, QUERY)]),
            (vec![said(404, None, ""), whole()], vec![(0, STATUS), (0, QUERY)]),
            (
                vec![free(), said(429, Some(45), ""), free(), whole()],
                vec![(0, STATUS), (0, QUERY), (45, STATUS), (45, QUERY)],
            ),
            (
                vec![
                    free(),
                    said(504, None, ""),
                    said(200, None, cooling),
                    free(),
                    said(200, None, busy),
                    free(),
                    whole(),
                ],
                vec![(0, STATUS), (0, QUERY), (3, STATUS), (16, STATUS), (16, QUERY), (22, STATUS), (22, QUERY)],
            ),
        ];
        for (replies, expected) in cases {
            let (settings, gateway) = (settings(1), ScriptedGateway::new(replies));
            let asked = Servers::new(&settings, &gateway).ask("query").await;
            assert!(matches!(asked, Ok(Asked::Whole(_))), "{asked:?} {expected:?}");
            assert_eq!(gateway.asked(), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_has_an_end() {
        let later = "Rate limit: 2\nSlot available after: 2026-11-02T10:10:00Z, in 600 seconds.\n";
        let free = || said(200, None, FREE);
        let busy = || said(504, None, "");
        let tries = vec![free(), busy(), free(), busy(), free(), busy(), free(), busy()];
        let cases = [
            (vec![said(200, None, later)], vec![(0, STATUS)], Some(601)),
            (vec![free(), said(429, Some(3_600), "")], vec![(0, STATUS), (0, QUERY)], Some(3_600)),
            (tries, [0, 3, 9, 21].into_iter().flat_map(|at| [(at, STATUS), (at, QUERY)]).collect(), None),
        ];
        for (replies, expected, seconds) in cases {
            let (settings, gateway) = (settings(1), ScriptedGateway::new(replies));
            let error = Servers::new(&settings, &gateway).ask("query").await.unwrap_err();
            let ProviderError::Transient { after, .. } = error else { panic!("{error:?}") };
            assert_eq!((after, gateway.asked()), (seconds.map(Duration::from_secs), expected));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_below_ours_is_kept_and_our_own_budget_ends_it() {
        let one = said(200, None, "Rate limit: 1\n1 slots available now.\n");
        let (two, gateway) = (settings(2), ScriptedGateway::new(vec![one, said(200, None, WHOLE)]));
        assert!(Servers::new(&two, &gateway).ask("query").await.is_ok());
        assert_eq!(*gateway.asked.lock().unwrap(), [(0, STATUS, 2), (0, QUERY, 1)]);

        let budget = CallError::OverBudget("used up".to_owned());
        let gateway = ScriptedGateway::new(vec![said(200, None, FREE), Err(budget.clone())]);
        let error = Servers::new(&two, &gateway).ask("query").await.unwrap_err();
        assert_eq!(error, ProviderError::Call(budget));
        assert_eq!(gateway.asked().len(), 2, "no other server is tried");
    }

    #[test]
    fn addresses_are_made_of_any_part_of_them() {
        for server in [
            "https://example.org",
            "https://example.org/",
            "https://example.org/api",
            "https://example.org/api/",
            "https://example.org/api/interpreter",
            "https://example.org/api/interpreter/",
        ] {
            let server = Url::parse(server).unwrap();
            assert_eq!(address(&server, INTERPRETER).as_str(), "https://example.org/api/interpreter", "{server}");
            assert_eq!(address(&server, STATUS).as_str(), "https://example.org/api/status", "{server}");
        }
        let nested = Url::parse("https://example.org/osm/tools/overpass/api/interpreter").unwrap();
        assert_eq!(address(&nested, STATUS).as_str(), "https://example.org/osm/tools/overpass/api/status");
    }
}
