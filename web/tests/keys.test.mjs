// API keys, what other accounts can reach, and plans without keys.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { APP, createPerson, eventually, leadsOf, openPage, search, shutDown, start, tester, visit } from './browser.mjs';

before(() => start());
after(shutDown);
const run = promisify(execFile);
const curl = async (key) => Number((await run('curl', ['--silent', '--output', '/dev/null', '--write-out', '%{http_code}', '--header', `X-API-Key: ${key}`, `${APP}/me`])).stdout);

test('a key is shown once, works with curl, shows when it was last used, and is refused once revoked', async () => {
  const page = await openPage({ path: '/keys' });
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('A test');
  await page.keyboard.press('Enter');
  const secret = await page.locator('.secret code').innerText();
  assert.match(secret, /^cv_live_\w{20,}/);
  await page.getByRole('tab', { name: 'Claude Code' }).click();
  assert.ok((await page.locator('.code code').innerText()).includes(secret), 'the snippet has no key');
  const row = page.getByRole('row', { name: /A test/ });
  await row.getByText('never').waitFor();

  assert.equal(await curl(secret), 200);
  await eventually(async () => {
    await page.reload();
    await row.waitFor();
    return row.locator('time').count();
  }, '“last used” does not change');
  assert.equal(await page.getByText(secret).count(), 0, 'the key is shown a second time');

  await row.getByRole('button', { name: /Revoke/ }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Keep it');
  await page.getByText(/It was used/).waitFor();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText(/^revoked/).waitFor();
  assert.equal(await curl(secret), 401);
  await visit(page, '/account');
  await page.getByText('A test').first().waitFor();
  assert.deepEqual(page.problems, []);
});

test('ids of another account are not found', async () => {
  const done = await search(tester, { industry: 'plumber', location: 'Hamletville, Sandbox', requested_count: 3 });
  const [lead] = await leadsOf(tester, done);
  const made = (await tester.api('POST', '/account/keys', { name: 'mine' })).json();
  const watched = (await tester.api('POST', '/radar/watch', { lead_id: lead.lead_id })).json();
  const [device] = (await tester.api('GET', '/account/devices')).json();
  const other = await createPerson('other@example.com');
  const { search_id: id } = done;
  const asked = [
    ['GET', `/searches/${id}`], ['GET', `/searches/${id}/leads`], ['GET', `/searches/${id}/events`], ['GET', `/searches/${id}/export`],
    ['GET', `/searches/${id}/campaign-export?channel=crm&preset=hubspot`], ['POST', `/searches/${id}/stop`], ['POST', `/searches/${id}/selection-export`, { lead_ids: [lead.lead_id] }],
    ['POST', `/leads/${lead.lead_id}/enrich`], ['POST', `/leads/${lead.lead_id}/intro`, {}], ['PUT', `/leads/${lead.lead_id}/mark`, { starred: true }],
    ['POST', '/radar/watch', { lead_id: lead.lead_id }], ['DELETE', `/radar/watches/${watched.id}`], ['DELETE', `/account/keys/${made.id}`], ['DELETE', `/account/devices/${device.id}`],
  ];
  const answers = [];
  for (const [method, path, body] of asked) answers.push([method, path, (await other.api(method, path, body)).status]);
  assert.deepEqual(answers, asked.map(([method, path]) => [method, path, 404]));
  assert.equal(await curl(made.key), 200, 'a stranger revoked the key');
  const page = await openPage({ path: `/search/${id}`, who: other });
  await page.getByRole('heading', { name: 'There is no such search' }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('on the free plan searches run in the page, and the keys page explains the plan', async () => {
  const who = await createPerson('free@example.com', { tier: 'free', addOns: [] });
  const page = await openPage({ who });
  await page.getByRole('combobox', { name: 'Industry' }).fill('plumber');
  await page.getByRole('combobox', { name: 'Place' }).fill('Hamletville, Sandbox');
  assert.equal(await page.getByRole('radio', { name: 'County' }).isDisabled(), true);
  await page.getByText(/At most \d+ of your 50 credits/).waitFor();
  await page.getByRole('button', { name: 'Start search' }).click();
  await page.getByText('Done').first().waitFor();
  await page.locator('tr.row').first().waitFor();
  await visit(page, '/keys');
  await page.getByRole('heading', { name: 'Free is a plan without API keys' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'New key' }).count(), 0);
  assert.equal((await who.api('POST', '/account/keys', { name: 'smuggled' })).status, 403);
  await visit(page, '/radar');
  await page.getByRole('heading', { name: 'Radar is an add-on' }).waitFor();
  assert.deepEqual(page.problems, []);
});
