// The welcome page's address, and the account page: a key in this tab, calls of the public API. Whatever a server says is
// shown as text, never as markup. Further parts of the page wait for "signed-in" and stand in files of their own.
"use strict";

const KEY = "canvass-key";
const byId = (id) => document.getElementById(id);

for (const place of document.querySelectorAll("[data-origin]")) place.textContent = location.origin;

async function ask(path, key, { method = "GET", send } = {}) {
  const headers = { "X-API-Key": key, ...(send && { "Content-Type": "application/json" }) };
  const answer = await fetch(path, { method, headers, body: send && JSON.stringify(send) });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return { body, next: /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") || "")?.[1] };
}

function showFault(message, place = "fault") {
  byId(place).textContent = message;
  byId(place).hidden = !message;
}

function showAccount(account) {
  const has = account.entitlements;
  byId("email").textContent = account.email;
  byId("credits").textContent = account.credits.toLocaleString();
  byId("tier").textContent = account.tier;
  byId("scope").textContent = has.scope;
  byId("add-ons").textContent = [has.signals_plus && "Signals+", has.radar && "Radar"].filter(Boolean).join(", ") || "none";
  byId("sign-in").hidden = true;
  byId("account").hidden = false;
}

// A row of text; those from `numbers` on stand to the right.
function addRow(table, texts, numbers) {
  const row = table.tBodies[0].insertRow();
  return texts.map((text, place) => {
    const cell = row.insertCell();
    cell.textContent = text;
    if (place >= numbers) cell.className = "number";
    return cell;
  });
}

function addLine(line) {
  const why = line.note ? `${line.reason}: ${line.note}` : line.reason;
  const amount = (line.amount > 0 ? "+" : "") + line.amount.toLocaleString();
  addRow(byId("ledger"), [new Date(line.created_at).toLocaleString(), why, amount, line.balance.toLocaleString()], 2);
}

async function showLedger(path, key) {
  const more = byId("more");
  more.hidden = true;
  try {
    const { body, next } = await ask(path, key);
    body.forEach(addLine);
    byId("ledger").hidden = false;
    more.hidden = !next;
    more.onclick = () => showLedger(next, key);
  } catch (fault) {
    byId("no-ledger").textContent = fault.message;
    byId("no-ledger").hidden = false;
  }
}

async function signIn(key) {
  showFault("");
  try {
    const { body } = await ask("/me", key);
    sessionStorage.setItem(KEY, key);
    showAccount(body);
    document.dispatchEvent(new CustomEvent("signed-in", { detail: { account: body, key } }));
    await showLedger("/credits", key);
  } catch (fault) {
    sessionStorage.removeItem(KEY);
    showFault(fault.message);
  }
}

if (byId("sign-in")) {
  byId("sign-in").addEventListener("submit", (event) => {
    event.preventDefault();
    signIn(byId("key").value.trim());
  });
  byId("sign-out").addEventListener("click", () => {
    sessionStorage.removeItem(KEY);
    location.reload();
  });
  // Once the other parts are there to hear of it.
  document.addEventListener("DOMContentLoaded", () => {
    const kept = sessionStorage.getItem(KEY);
    if (kept) signIn(kept);
  });
}
