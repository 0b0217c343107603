// Signing in, keys and plans. With the development mock these show that the pages work; against the real server, that all of it does.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { APP, api, canvass, EMAIL, HAS_BINARY, IS_MOCK, linkFor, openPage, PASSWORD, shutDown } from './browser.mjs';

after(shutDown);

test('a wrong password is said, and the page that was asked for appears after signing in', async () => {
  const page = await openPage({ path: '/usage', signIn: false });
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
  assert.match(page.url(), /\/app\/usage$/);
  await page.context().close();
});

test('a link signs in once, a second use is refused, and its token leaves the address', { skip: !IS_MOCK && !HAS_BINARY && 'needs WEB_BINARY and WEB_DATA' }, async () => {
  const link = IS_MOCK ? `/welcome#mock-${Date.now()}` : linkFor(EMAIL);
  const page = await openPage({ path: link, signIn: false });
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  assert.equal(page.url(), `${APP}/app/welcome`);
  await page.getByRole('button', { name: /go to search/i }).click();
  await page.getByRole('heading', { name: 'Find local businesses' }).waitFor();
  const again = await openPage({ path: link, signIn: false });
  await again.getByRole('heading', { name: 'This link was used' }).waitFor();
  const unknown = await openPage({ path: '/welcome#cv_link_nonsense', signIn: false });
  await unknown.getByRole('heading', { name: 'This link is not known' }).waitFor();
  if (!IS_MOCK) return;
  const late = await openPage({ path: '/welcome#expired', signIn: false });
  await late.getByRole('heading', { name: 'This link has expired' }).waitFor();
});

test('a key is shown once, filled into the snippets, and revoked after a question', async () => {
  const page = await openPage({ path: '/keys' });
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('A test');
  await page.keyboard.press('Enter');
  const secret = await page.locator('.secret code').innerText();
  assert.match(secret, /^cv_live_\w{20,}/);
  await page.getByRole('tab', { name: 'Claude Code' }).click();
  assert.ok((await page.locator('.code code').innerText()).includes(secret));
  if (!IS_MOCK) assert.equal((await fetch(`${APP}/me`, { headers: { 'X-API-Key': secret } })).status, 200);
  await page.reload();
  await page.getByRole('row', { name: /A test/ }).first().getByRole('button', { name: /Revoke/ }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Keep it');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText(/^revoked/).first().waitFor();
  if (!IS_MOCK) assert.equal((await fetch(`${APP}/me`, { headers: { 'X-API-Key': secret } })).status, 401);
  assert.equal(await page.getByText(secret).count(), 0);
  await page.context().close();
});

/** A page of somebody on the free plan. */
async function openFreePage() {
  if (IS_MOCK) {
    const page = await openPage();
    await api(page, 'POST', '/account/mock-tier', { tier: 'free' });
    return page;
  }
  const email = `free-${Date.now()}@example.com`;
  canvass('account', 'create', '--email', email, '--tier', 'free');
  const page = await openPage({ path: linkFor(email), signIn: false });
  await page.getByRole('button', { name: /go to search/i }).click();
  return page;
}

test('a plan without keys searches all the same, and the keys page explains it', { skip: !IS_MOCK && !HAS_BINARY && 'needs WEB_BINARY and WEB_DATA' }, async () => {
  const page = await openFreePage();
  try {
    await page.goto(`${APP}/app/keys`);
    await page.getByRole('heading', { name: 'Free is a plan without API keys' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'New key' }).count(), 0);
    await page.goto(`${APP}/app/radar`);
    await page.getByRole('heading', { name: 'Radar is an add-on' }).waitFor();
    await page.goto(`${APP}/app/`);
    await page.getByRole('button', { name: 'Start search' }).waitFor();
    assert.equal(await page.getByRole('radio', { name: 'County' }).isDisabled(), true);
  } finally {
    if (IS_MOCK) await api(page, 'POST', '/account/mock-tier', { tier: null });
  }
  await page.context().close();
});

/** The newest link in a letter of the outbox to this person. */
function linkInOutbox(email) {
  const folder = path.join(process.env.WEB_DATA, 'outbox');
  const letters = fs.readdirSync(folder).map((name) => path.join(folder, name)).sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs);
  const letter = letters.map((name) => fs.readFileSync(name, 'utf8').replace(/=\r?\n/g, '').replaceAll('=3D', '=')).find((text) => text.includes(email));
  return letter && /\/app(\/welcome#[\w-]+)/.exec(letter)?.[1];
}

test('a forgotten password is replaced by the link in the letter', { skip: (IS_MOCK || !HAS_BINARY) && 'needs the outbox of the real server' }, async () => {
  const email = `reset-${Date.now()}@example.com`;
  canvass('account', 'create', '--email', email, '--tier', 'growth');
  const page = await openPage({ path: '/forgot', signIn: false });
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
  let link;
  for (let i = 0; i < 40 && !link; i++) {
    await page.waitForTimeout(250);
    link = linkInOutbox(email);
  }
  assert.ok(link, 'no letter in the outbox');
  await page.goto(`${APP}/app${link}`);
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await page.getByLabel('New password').fill('a sentence nobody guesses');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Find local businesses' }).waitFor();
  const other = await openPage({ signIn: false });
  await other.getByLabel('E-mail address').fill(email);
  await other.getByLabel('Password', { exact: true }).fill('a sentence nobody guesses');
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('heading', { name: 'Find local businesses' }).waitFor();
});

test('a stranger’s tab cannot write with the cookie, and a key cannot reach the account', { skip: IS_MOCK && 'needs the real server' }, async () => {
  const page = await openPage();
  const made = await api(page, 'POST', '/account/keys', { name: 'stolen' });
  assert.equal(made.status, 201);
  const { id, key } = made.json();
  for (const path of ['/account', '/account/keys', '/account/devices']) assert.equal((await fetch(APP + path, { headers: { 'X-API-Key': key } })).status, 401);
  const strange = await page.request.post(`${APP}/account/sign-out`, { headers: { Origin: 'https://stranger.example', 'Sec-Fetch-Site': 'cross-site' } });
  assert.equal(strange.status(), 403);
  assert.equal((await api(page, 'GET', '/account')).status, 200);
  await api(page, 'DELETE', `/account/keys/${id}`);
  await page.context().close();
});

// Last, because it ends the session that the tests before share.
test('signing out everywhere ends this session too', async () => {
  const page = await openPage({ signIn: false });
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Find local businesses' }).waitFor();
  await page.goto(`${APP}/app/account`);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal((await api(page, 'GET', '/account')).status, 401);
  await page.context().close();
});
