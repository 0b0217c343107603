// Starts Debian's Chromium and signs in. Where the app is and who signs in come from the environment.
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

export const APP = process.env.WEB_URL ?? process.env.WEB_PREVIEW;
export const EMAIL = process.env.WEB_EMAIL ?? 'demo@example.com';
export const PASSWORD = process.env.WEB_PASSWORD ?? 'correct horse battery';
/** Whether accounts are the mock of the development server; then what needs the real ones is skipped. */
export const IS_MOCK = !process.env.WEB_URL;
export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

const { WEB_BINARY, WEB_DATA } = process.env;
/** Whether the server's own commands can be run: then links, plans and the sandbox's age are tested for real. */
export const HAS_BINARY = Boolean(WEB_BINARY && WEB_DATA);
/** Runs a command of the server. Its settings are named like ours, so it gets a clean environment. */
export const canvass = (...args) => execFileSync(WEB_BINARY, [...args, '--data', WEB_DATA], { encoding: 'utf8', env: { PATH: process.env.PATH } });
/** The path of a link that signs this person in once. */
export const linkFor = (email) => /\/app(\/welcome#\S+)/.exec(canvass('account', 'link', email))[1];

let browser;
export async function launch() {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  return browser;
}
export async function shutDown() {
  await browser?.close();
}

let signedIn;
/** A page of a signed-in person. Problems that the browser reports are collected in `page.problems`. */
export async function openPage(options = {}) {
  const { path = '/', viewport = DESKTOP, theme = 'light', signIn = true, ...rest } = options;
  const context = await (await launch()).newContext({
    viewport, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'America/Chicago', permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true,
    isMobile: viewport.width < 700, hasTouch: viewport.width < 700, storageState: signIn ? signedIn : undefined, ...rest,
  });
  const page = await context.newPage();
  page.problems = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (4|5)\d\d|ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(message.text())) page.problems.push(message.text());
  });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('dialog', async (dialog) => {
    page.problems.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  await page.goto(`${APP}/app${path}`);
  if (signIn && !signedIn) {
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor({ state: 'attached' });
    signedIn = await context.storageState();
  }
  return page;
}

/** Calls the API as the page does, with its cookie. */
export async function api(page, method, path, body) {
  const response = await page.request.fetch(APP + path, { method, data: body, headers: body ? { 'Content-Type': 'application/json', Origin: APP } : { Origin: APP } });
  const text = await response.text();
  return { status: response.status(), text, json: () => JSON.parse(text) };
}

/** Starts a search by the API and waits until it has ended. */
export async function search(page, body, { wait = true } = {}) {
  const started = (await api(page, 'POST', '/search/start', body)).json();
  for (;;) {
    const found = (await api(page, 'GET', `/searches/${started.search_id}`)).json();
    if (!wait || found.status !== 'running') return found;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}
