// The welcome page's address and the account page: a key in this tab, two calls of the public API.
"use strict";

const KEY = "canvass-key";
const byId = (id) => document.getElementById(id);

for (const place of document.querySelectorAll("[data-origin]")) place.textContent = location.origin;

async function ask(path, key) {
  const answer = await fetch(path, { headers: { "X-API-Key": key } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return { body, next: /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") || "")?.[1] };
}

function showFault(message) {
  byId("fault").textContent = message;
  byId("fault").hidden = !message;
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

function addLine(line) {
  const row = byId("ledger").tBodies[0].insertRow();
  const why = line.note ? `${line.reason}: ${line.note}` : line.reason;
  const amount = (line.amount > 0 ? "+" : "") + line.amount.toLocaleString();
  [new Date(line.created_at).toLocaleString(), why, amount, line.balance.toLocaleString()].forEach((text, place) => {
    const cell = row.insertCell();
    cell.textContent = text;
    if (place > 1) cell.className = "number";
  });
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
    document.dispatchEvent(new Event("signed-in"));
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
  const kept = sessionStorage.getItem(KEY);
  if (kept) signIn(kept);
}
