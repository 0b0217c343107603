// Debian's Chromium in front of a server that was started for this file of tests, with people who have accounts there.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { chromium, request } from 'playwright-core';
import { startServer } from './server.mjs';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const PASSWORD = 'lantern crane violet dust';
const LONGEST_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 50;

let browser;
export let server;
/** Where the app and the API are. */
export let APP;
/** Who is signed in when a test says nothing else: an account with all add-ons. */
export let tester;

/** Starts the server, the browser, and an account to sign in with. */
export async function start(options) {
  server = await startServer(options);
  APP = server.base;
  await isThisBuild();
  // The tests may run as root, where Chromium's own sandbox does not start.
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'], handleSIGTERM: false });
  tester = await createPerson('tester@example.com');
}

export async function shutDown() {
  await browser?.close();
  await server?.stop();
}

/** Fails when the binary has another build of the app than `dist/`: the tests would say nothing about this one. */
async function isThisBuild() {
  const served = await (await fetch(`${APP}/app/`)).text();
  const built = fs.readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8');
  assert.equal(served, built, 'The binary contains another build of the app than web/dist. Build it again, or set WEB_PREVIEW=1 to serve web/dist in front of it.');
}

/** The token of a link, as it stands in an address. */
export const pathOf = (link) => link.slice(link.indexOf('/app/') + '/app'.length);
/** The path of a link that signs this person in once. */
export const linkFor = (email) => pathOf(server.canvass('account', 'link', email).link);

/** An account, and a session in it. */
export async function createPerson(email, { tier = 'scale', addOns = ['signals_plus', 'radar'], password } = {}) {
  server.canvass('account', 'create', '--email', email, '--tier', tier, ...addOns.flatMap((name) => ['--add-on', name]));
  const session = await request.newContext({ baseURL: APP, extraHTTPHeaders: { Origin: APP } });
  const person = { email, api: (...asked) => call(session, ...asked) };
  await person.api('POST', '/account/link', { token: linkFor(email).split('#')[1] });
  if (password) await person.api('PUT', '/account/password', { new_password: password });
  person.state = await session.storageState();
  return person;
}

async function call(session, method, where, body) {
  const response = await session.fetch(APP + where, { method, data: body, headers: { Origin: APP, ...(body ? { 'Content-Type': 'application/json' } : {}) }, maxRedirects: 0 });
  const text = await response.text();
  return { status: response.status(), text, headers: response.headers(), json: () => JSON.parse(text) };
}

/** Calls the API as a page does, with its cookie. */
export const api = (page, ...asked) => call(page.request, ...asked);

const IS_EXPECTED = /status of (4|5)\d\d|ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE/;

/** A page, of the tester unless `who` is somebody else or null. What the browser complains about is collected in `page.problems`. */
export async function openPage({ path: where = '/', viewport = DESKTOP, theme = 'light', who = tester, ...rest } = {}) {
  const context = await browser.newContext({
    viewport, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'America/Chicago', permissions: ['clipboard-read', 'clipboard-write'],
    isMobile: viewport.width < 700, hasTouch: viewport.width < 700, storageState: who?.state, ...rest,
  });
  const page = await context.newPage();
  page.problems = [];
  page.asked = new Set();
  page.on('request', (asked) => page.asked.add(asked));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (asked) => page.asked.delete(asked));
  page.on('framenavigated', (frame) => frame === page.mainFrame() && page.asked.clear());
  page.on('console', (message) => message.type() === 'error' && !IS_EXPECTED.test(message.text()) && page.problems.push(message.text()));
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('dialog', async (dialog) => {
    page.problems.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  await page.goto(`${APP}/app${where}`);
  return page;
}

/** Goes to a page of the app. */
export const visit = (page, where) => page.goto(`${APP}/app${where}`);

/** Waits until a page has loaded what it shows: nothing is asked for, and what came is painted. */
export async function settled(page) {
  await page.locator('h1').first().waitFor();
  const painted = () => page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  const isQuiet = () => [...page.asked].every((asked) => asked.url().endsWith('/events'));
  do {
    await eventually(isQuiet, 'the page goes on loading');
    await painted();
  } while (!isQuiet());
}

/** Asks until the answer is truthy, and returns it. */
export async function eventually(ask, otherwise, longest = LONGEST_WAIT_MS) {
  for (const until = Date.now() + longest; Date.now() < until; ) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  assert.fail(otherwise);
}

/** Starts a search by the API and waits until it has ended. */
export async function search(person, body, { wait = true, longest } = {}) {
  const started = await person.api('POST', '/search/start', body);
  assert.equal(started.status, 200, started.text);
  const read = async () => (await person.api('GET', `/searches/${started.json().search_id}`)).json();
  if (!wait) return read();
  return eventually(async () => {
    const found = await read();
    return found.status !== 'running' && found;
  }, 'the search does not end', longest);
}

export const leadsOf = async (person, found) => (await person.api('GET', `/searches/${found.search_id}/leads?limit=2500`)).json();

/** The path of the link in the newest letter to this address. */
export const linkInLetter = (email) =>
  eventually(() => {
    const folder = path.join(server.data, 'outbox');
    const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    const letters = names.map((name) => ({ at: fs.statSync(path.join(folder, name)).mtimeMs, text: fs.readFileSync(path.join(folder, name), 'utf8') }));
    const ours = letters.filter((letter) => new RegExp(`^To: .*${email}`, 'mi').test(letter.text)).sort((a, b) => b.at - a.at)[0];
    return ours && /\/app(\/welcome#[\w-]+)/.exec(ours.text.replace(/=\r?\n/g, '').replaceAll('=3D', '='))?.[1];
  }, `there is no letter to ${email} in the outbox`);

/** Signs in with the form. */
export async function signIn(page, email, password = PASSWORD) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
export const isInside = (page) => page.getByRole('heading', { name: 'Find local businesses' }).waitFor();
