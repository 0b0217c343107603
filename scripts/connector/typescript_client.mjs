// Holds a conversation with the official TypeScript clients: the 1.x package, and the 2.x one in both eras.
// Usage: typescript_client.mjs PACKAGES_FOLDER BASE_URL KEY 1|2 legacy|auto
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const [folder, baseUrl, key, generation, era] = process.argv.slice(2);
// The packages are installed apart from this file, where an `import` would not look for them.
const require = createRequire(`${folder}/`);
const PROTOCOLS = { legacy: "2025-11-25", auto: "2026-07-28" };
const WANTED = 12;
const PAGE = 7;
// The sandbox gives five businesses there every 0.7 s: the search is still running when somebody waits for it.
const SLOW_PLACE = "Slowtown, Sandbox";
// As slow, and with thousands of businesses: for a search that would go on for minutes.
const ENDLESS = { industry: "slow trade", location: "Crowdville, Sandbox", requested_count: 1000 };

// With the key in the address, as people paste it.
async function firstGeneration(key) {
  const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp/${key}`));
  const client = new Client({ name: "canvass-check", version: "1.0.0" });
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, undefined, options);
  return { client, call, protocol: transport.protocolVersion };
}

// With the key in a header, as hosts do that let people set one.
async function secondGeneration(key) {
  const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
    requestInit: { headers: { "X-API-Key": key } },
  });
  const client = new Client({ name: "canvass-check", version: "1.0.0" }, { versionNegotiation: { mode: era } });
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, options);
  return { client, call, protocol: client.getNegotiatedProtocolVersion() };
}

const connect = generation === "1" ? firstGeneration : secondGeneration;
const refused = await connect(`${key}x`).catch((error) => error);
assert.match(`${refused.message} ${refused.data?.text}`, /the API key is not valid/);

const { client, call, protocol } = await connect(key);
assert.equal(protocol, PROTOCOLS[era]);

// Calls a tool that must succeed. The client itself holds the answer against the tool's output schema, and throws.
async function ask(name, args = {}, onprogress = undefined) {
  const result = await call({ name, arguments: args }, { onprogress });
  assert.ok(!result.isError, `${name} was refused: ${result.content[0].text}`);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

async function findLeads() {
  const before = await ask("get_account");
  const { search_id } = await ask("start_search", { industry: "bakery", location: SLOW_PLACE, requested_count: WANTED });
  const heard = [];
  const done = await ask("wait_for_search", { search_id, timeout_seconds: 45 }, (step) => heard.push(step));
  assert.equal(done.status, "done");
  assert.ok(heard.length > 0, "no progress was received");
  assert.ok(heard.every((step, at) => step.total === WANTED && (at === 0 || step.progress > heard[at - 1].progress)));
  assert.equal(before.credits - (await ask("get_account")).credits, WANTED);
  return search_id;
}

async function pageThrough(search_id) {
  const first = await ask("get_leads", { search_id, limit: PAGE });
  const second = await ask("get_leads", { search_id, limit: PAGE, cursor: first.next_cursor, detail: "full" });
  assert.equal(second.next_cursor, null);
  const leads = [...first.leads, ...second.leads];
  assert.equal(new Set(leads.map((lead) => lead.lead_id)).size, WANTED);
  return leads;
}

async function useLeads(search_id, leads) {
  const enriched = await ask("enrich_leads", { search_id });
  assert.equal(enriched.status, "done");
  const reachable = leads.find((lead) => lead.website);
  const { intro } = await ask("write_intro", { lead_id: reachable.lead_id });
  assert.ok(intro.length > 40, intro);
  const made = await ask("export_leads", { search_id, channel: "crm" });
  const file = await (await fetch(made.download_url)).text();
  assert.equal(file.split("\r\n")[0], made.columns.join(","));
  const { contents } = await client.readResource({ uri: made.resource_uri });
  assert.equal(contents[0].text, file);
}

async function stopAnother() {
  const { search_id } = await ask("start_search", ENDLESS);
  assert.equal((await ask("stop_search", { search_id })).status, "cancelled");
}

async function getItWrong() {
  const wrong = { industry: "bakery", location: "Austin, TX", scope: "galaxy" };
  const result = await call({ name: "start_search", arguments: wrong });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /scope.*county/s);
}

const { tools } = await client.listTools();
assert.equal(tools.length, 15);
const { prompts } = await client.listPrompts();
assert.equal(prompts.length, 3);
const search_id = await findLeads();
await useLeads(search_id, await pageThrough(search_id));
await stopAnother();
await getItWrong();
await client.close();
const name = generation === "1" ? "@modelcontextprotocol/sdk" : "@modelcontextprotocol/client";
const { version } = JSON.parse(require("node:fs").readFileSync(`${folder}/node_modules/${name}/package.json`, "utf8"));
console.log(`${name} ${version} for TypeScript, protocol ${protocol}: a conversation`);
