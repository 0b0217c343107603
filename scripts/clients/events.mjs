// Follows searches with the `eventsource` package, which reconnects by itself: by GET, and by POST with an Idempotency-Key.
// Usage: events.mjs BASE_URL API_KEY
import assert from "node:assert/strict";
import { EventSource } from "eventsource";

const [base, key] = process.argv.slice(2);
const WANTED = 4;
const CUT_AFTER_EVENTS = 3;
const BODY = { industry: "plumber", location: "Plainville, Sandbox", requested_count: WANTED };
const KINDS = ["search_started", "lead", "search_done"];

// Ends a response behind so many events, as a proxy that gives up would.
function cut(response, events) {
  let left = events;
  const ending = new TransformStream({
    transform(chunk, controller) {
      const blocks = new TextDecoder().decode(chunk, { stream: true }).split(/(?<=\n\n)/);
      for (const block of blocks) {
        if (left > 0) controller.enqueue(new TextEncoder().encode(block));
        left -= block.endsWith("\n\n") && !block.startsWith(":") ? 1 : 0;
      }
      if (left <= 0) controller.terminate();
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(ending), { status, headers });
}

// Every event until the server says that there are no more; the first connection breaks off.
function follow(url, request) {
  const asked = [];
  const fetching = async (input, init) => {
    const headers = { ...init.headers, ...request.headers, "X-API-Key": key };
    asked.push(init.headers["Last-Event-ID"] ?? null);
    const response = await fetch(input, { ...init, ...request, headers });
    return asked.length === 1 ? cut(response, CUT_AFTER_EVENTS) : response;
  };
  return new Promise((resolve, reject) => {
    const events = [];
    const source = new EventSource(url, { fetch: fetching });
    const patience = setTimeout(() => reject(new Error(`no end: ${JSON.stringify({ asked, events })}`)), 60_000);
    source.onmessage = (event) => reject(new Error(`an event without a name: ${event.data}`));
    for (const kind of KINDS) {
      source.addEventListener(kind, ({ lastEventId, data }) => events.push({ id: lastEventId, kind, data }));
    }
    source.addEventListener("error", (event) => {
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(patience);
      resolve({ asked, events, code: event.code, address: url });
    });
  });
}

function check({ asked, events, code }) {
  assert.deepEqual(events.map((event) => Number(event.id)), [...Array(WANTED + 2).keys()]);
  assert.deepEqual(events.map((event) => event.kind), ["search_started", ...Array(WANTED).fill("lead"), "search_done"]);
  assert.ok(events.every((event) => JSON.parse(event.data)));
  // Cut off behind the third event, then at the end: 204 ends it.
  assert.deepEqual(asked, [null, String(CUT_AFTER_EVENTS - 1), String(WANTED + 1)]);
  assert.equal(code, 204);
}

async function started() {
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const response = await fetch(`${base}/search/start`, { method: "POST", headers, body: JSON.stringify(BODY) });
  assert.equal(response.status, 200);
  return (await response.json()).search_id;
}

const post = {
  method: "POST",
  headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
  body: JSON.stringify(BODY),
};
const [byGet, byPost] = await Promise.all([
  started().then((id) => follow(`${base}/searches/${id}/events`, {})),
  follow(`${base}/search`, post),
]);
check(byGet);
check(byPost);
console.log(`eventsource: ${byGet.events.length} events by GET and by POST, reconnected by itself`);
