// One search, at #/searches/ID: where the e-mail at its end leads. Counts, files, leads; a running one is looked at again.
// #/searches/ID/LEAD, where an assistant's finds lead, marks one of its leads.
"use strict";

const LEADS_AT_ONCE = 100;
const LOOK_AGAIN_MS = 2000;
const FILES = [
  ["All fields", "/export"],
  ["For Excel", "/export?bom=true"],
  ["CRM", "/campaign-export?channel=crm"],
  ["Call list", "/campaign-export?channel=call_list"],
  ["Letters", "/campaign-export?channel=direct_mail"],
  ["Ad audience, hashed", "/campaign-export?channel=ad_audience&hashed=true"],
];

let signedInKey = "";
let looking = 0;

const address = () => /^#\/searches\/([0-9a-fA-F-]{1,64})(?:\/([0-9a-fA-F-]{1,64}))?$/.exec(location.hash) ?? [];
const shownSearch = () => address()[1];
const markedLead = () => address()[2];

// Only addresses of the web are links: a lead's website is whatever somebody wrote.
function webAddress(text) {
  try {
    const url = new URL(text);
    return ["http:", "https:"].includes(url.protocol) ? url.href : "";
  } catch {
    return "";
  }
}

function showWebsite(cell, website) {
  const target = website && webAddress(website);
  if (!target) return;
  const link = document.createElement("a");
  link.href = target;
  link.rel = "noopener noreferrer nofollow";
  link.target = "_blank";
  link.textContent = new URL(target).hostname;
  cell.replaceChildren(link);
}

function addLead(lead) {
  const owner = [lead.owner_name, lead.owner_title].filter(Boolean).join(", ");
  const score = lead.signals.score ?? "";
  const texts = [lead.business_name, owner, lead.primary_email, lead.phone, "", lead.city, score].map((text) => text ?? "");
  const cells = addRow(byId("leads"), texts, 6);
  showWebsite(cells[4], lead.website);
  if (lead.lead_id === markedLead()) {
    cells[0].parentNode.className = "marked";
    cells[0].scrollIntoView({ block: "center" });
  }
}

async function showLeads(path, turn) {
  const { body, next } = await ask(path, signedInKey);
  if (turn !== looking) return;
  body.forEach(addLead);
  byId("more-leads").hidden = !next;
  byId("more-leads").onclick = () => showLeads(next, turn).catch((fault) => showFault(fault.message, "search-fault"));
}

function showCounts(search) {
  byId("search-title").textContent = `${search.industry} in ${search.location}`;
  byId("search-status").textContent = search.status;
  byId("search-leads").textContent = `${search.leads_found} of ${search.requested}`;
  byId("search-emails").textContent = search.emails_found;
  byId("search-credits").textContent = search.credits_charged;
  showFault(search.failure_reason || "", "search-failure");
  byId("search-found").hidden = false;
}

// The file is fetched with the key in a header: in a link it would stay in the browser's history.
async function download(path, key) {
  showFault("", "download-fault");
  try {
    const answer = await fetch(path, { headers: { "X-API-Key": key } });
    if (!answer.ok) throw new Error((await answer.json()).detail);
    const named = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") || "")?.[1];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = named || "leads.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  } catch (fault) {
    showFault(fault.message, "download-fault");
  }
}

function showFiles(id, key) {
  const buttons = FILES.map(([name, path]) => {
    const button = document.createElement("button");
    button.className = "quiet";
    button.textContent = name;
    button.onclick = () => download(`/searches/${id}${path}`, key);
    return button;
  });
  byId("downloads").replaceChildren(...buttons);
}

async function showSearch(id, turn) {
  try {
    const { body } = await ask(`/searches/${id}`, signedInKey);
    if (turn !== looking) return;
    showCounts(body);
    byId("leads").tBodies[0].replaceChildren();
    await showLeads(`/searches/${id}/leads?limit=${LEADS_AT_ONCE}`, turn);
    if (turn === looking && body.status === "running") setTimeout(() => turn === looking && showSearch(id, turn), LOOK_AGAIN_MS);
  } catch (fault) {
    if (turn === looking) showFault(fault.message, "search-fault");
  }
}

async function showSearches() {
  const { body } = await ask("/searches?limit=10", signedInKey);
  const lines = body.map((search) => {
    const link = document.createElement("a");
    link.href = `#/searches/${search.search_id}`;
    link.textContent = `${search.industry} in ${search.location}: ${search.leads_found} leads, ${search.status}`;
    const line = document.createElement("li");
    line.append(link);
    return line;
  });
  byId("search-list").replaceChildren(...lines);
  byId("searches").hidden = lines.length === 0;
}

// Shows what the address asks for: a search, or the account.
function follow() {
  if (!signedInKey) return;
  const id = shownSearch();
  looking += 1;
  byId("account").hidden = Boolean(id);
  byId("search").hidden = !id;
  // A plan without API access has no searches to show, and the account says so.
  if (!id) return void showSearches().catch(() => {});
  byId("search-title").textContent = "Search";
  byId("search-found").hidden = true;
  showFault("", "search-fault");
  showFiles(id, signedInKey);
  showSearch(id, looking);
}

document.addEventListener("signed-in", (event) => {
  signedInKey = event.detail.key;
  follow();
});
window.addEventListener("hashchange", follow);
