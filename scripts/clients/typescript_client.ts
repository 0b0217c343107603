// Runs a whole search with the client that openapi-typescript and openapi-fetch make of the API document.
// Usage: typescript_client.ts BASE_URL API_KEY, beside the generated api.ts.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

declare const process: { argv: string[] };

type Schemas = components["schemas"];

const WANTED = 4;
const WAIT_MILLIS_MAX = 60_000;

// What has a default may be left out, and null is accepted where nothing is required.
const least: Schemas["SearchRequest"] = { industry: "plumber", location: "Plainville, Sandbox" };
const nulls: Schemas["SearchRequest"] = {
  ...least,
  scope: null,
  radius_miles: null,
  filters: null,
  notify: null,
  requested_count: WANTED,
};
// @ts-expect-error Null is not accepted for what is required.
const wrong: Schemas["SearchRequest"] = { industry: "plumber", location: null };
// @ts-expect-error Nor is a field that does not exist.
const unknown: Schemas["SearchRequest"] = { ...least, limit: 5 };
const bodiless: Schemas["EnrichRequest"] = {};
void [wrong, unknown, bodiless];

function check(condition: boolean, what: unknown): asserts condition {
  if (!condition) throw new Error(typeof what === "string" ? what : JSON.stringify(what));
}

const [base, key] = process.argv.slice(2);
check(base !== undefined && key !== undefined, "usage: typescript_client.ts BASE_URL API_KEY");
const client = createClient<paths>({ baseUrl: base, headers: { "X-API-Key": key } });

async function finished(search_id: string): Promise<Schemas["Search"]> {
  const until = Date.now() + WAIT_MILLIS_MAX;
  for (;;) {
    const { data, error } = await client.GET("/searches/{search_id}", { params: { path: { search_id } } });
    check(data !== undefined, error);
    const status: Schemas["SearchStatus"] = data.status;
    if (status !== "running") return data;
    check(Date.now() < until, "the search does not end");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const started = await client.POST("/search/start", {
  body: nulls,
  params: { header: { "Idempotency-Key": crypto.randomUUID() } },
});
check(started.data !== undefined, started.error);
const search_id = started.data.search_id;
const search = await finished(search_id);
check(search.status === "done" && search.leads_found === WANTED, search);

const leads = await client.GET("/searches/{search_id}/leads", { params: { path: { search_id }, query: { limit: 100 } } });
check(leads.data !== undefined && leads.data.length === WANTED, leads.error);
const first: Schemas["Lead"] | undefined = leads.data[0];
check(first !== undefined && first.business_name.length > 0 && first.emails.every((one) => one.confidence <= 1), leads.data);

const exported = await client.GET("/searches/{search_id}/export", { params: { path: { search_id } }, parseAs: "text" });
check(exported.data !== undefined && exported.data.includes(first.lead_id), exported.error);

const stopped = await client.POST("/searches/{search_id}/stop", { params: { path: { search_id } } });
check(stopped.data !== undefined && stopped.data.stopped === false && stopped.data.status === "done", stopped);

const missing = await client.GET("/searches/{search_id}", { params: { path: { search_id: crypto.randomUUID() } } });
const problem: Schemas["Error"] | undefined = missing.error;
check(missing.response.status === 404 && problem?.code === "not_found", missing);

const refused = await client.POST("/search/start", { body: { ...least, requested_count: 0 } });
check(refused.response.status === 422 && refused.error?.errors[0]?.field === "requested_count", refused);

console.log(`generated TypeScript client: a whole search with ${WANTED} leads`);
