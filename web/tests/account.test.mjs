// Signing in, keys and plans. With the development mock these show that the pages work; against the real server, that all of it does.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { APP, api, EMAIL, IS_MOCK, openPage, shutDown } from './browser.mjs';

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

test('a link signs in once, a second use is refused, and its token leaves the address', { skip: !IS_MOCK && 'needs a link of the real server' }, async () => {
  const token = `mock-${Date.now()}`;
  const page = await openPage({ path: `/welcome#${token}`, signIn: false });
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  assert.equal(page.url(), `${APP}/app/welcome`);
  await page.getByRole('button', { name: 'Later: go to search' }).click();
  await page.getByRole('heading', { name: 'Find local businesses' }).waitFor();
  const again = await openPage({ path: `/welcome#${token}`, signIn: false });
  await again.getByRole('heading', { name: 'This link was used' }).waitFor();
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

test('a plan without keys searches all the same, and the keys page explains it', { skip: !IS_MOCK && 'needs a free account' }, async () => {
  const page = await openPage();
  await api(page, 'POST', '/account/mock-tier', { tier: 'free' });
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
    await api(page, 'POST', '/account/mock-tier', { tier: null });
  }
  await page.context().close();
});

test('signing out everywhere ends this session too', async () => {
  const page = await openPage({ signIn: false });
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(process.env.WEB_PASSWORD ?? 'correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Find local businesses' }).waitFor();
  await page.goto(`${APP}/app/account`);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal((await api(page, 'GET', '/account')).status, 401);
  await page.context().close();
});
