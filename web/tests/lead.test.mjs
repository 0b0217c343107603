// One lead: enrich, intro, watch, marks; and an alert after the sandbox's world has aged.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { APP, api, openPage, search, shutDown } from './browser.mjs';

const { WEB_BINARY, WEB_DATA } = process.env;
let page;
let lead;
before(async () => {
  page = await openPage();
  const done = await search(page, { industry: 'plumber', location: 'Changeville, Sandbox', requested_count: 10 });
  const leads = (await api(page, 'GET', `/searches/${done.search_id}/leads`)).json();
  lead = leads.find((l) => l.site_status === 'ok' && l.evidence.length && l.emails.length) ?? leads.find((l) => l.site_status === 'ok');
  await page.goto(`${APP}/app/search/${done.search_id}/${lead.lead_id}`);
  await page.locator('aside.panel').waitFor();
});
after(shutDown);

test('evidence marks the value in its snippet', async () => {
  const marks = await page.locator('aside.panel mark').allInnerTexts();
  assert.ok(marks.some((text) => lead.evidence.some((e) => e.value.toLowerCase() === text.toLowerCase())), marks.join());
});

test('Enrich says what became of it and what is left', async () => {
  await page.getByRole('button', { name: 'Enrich' }).click();
  await page.getByRole('status').filter({ hasText: 'enrichments left this month' }).waitFor({ timeout: 30_000 });
});

test('Write intro shows an opening that can be copied', async () => {
  await page.getByRole('button', { name: 'Write intro' }).click();
  await page.getByRole('heading', { name: 'Opening for an email' }).waitFor();
  await page.getByRole('button', { name: 'Copy text' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.length > 40 && (await page.locator('.intro p').innerText()).includes(copied.slice(0, 40)));
});

test('a star, a tag and a note stay', async () => {
  await page.getByRole('button', { name: 'Star', exact: true }).click();
  await page.getByLabel('New tag').fill('call first');
  await page.keyboard.press('Enter');
  await page.getByLabel('Note', { exact: true }).fill('Asked for a quote.');
  await page.getByLabel('Note', { exact: true }).blur();
  await page.waitForTimeout(300);
  await page.reload();
  await page.locator('aside.panel').getByText('call first').waitFor();
  assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), 'Asked for a quote.');
  assert.equal(await page.getByRole('button', { name: 'Star', exact: true }).getAttribute('aria-pressed'), 'true');
});

test('Watch is listed on Radar, and an alert comes when the business changes', async () => {
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByRole('button', { name: 'Watching' }).waitFor();
  if (WEB_BINARY && WEB_DATA) {
    for (const command of [['radar', 'check'], ['sandbox', 'advance'], ['radar', 'check', '--all']]) execFileSync(WEB_BINARY, [...command, '--data', WEB_DATA], { stdio: 'pipe' });
  }
  await page.goto(`${APP}/app/radar`);
  await page.getByRole('region', { name: 'Watching' }).getByText(lead.business_name).first().waitFor();
  if (WEB_BINARY && WEB_DATA) await page.getByRole('region', { name: 'Alerts' }).getByText(lead.business_name).first().waitFor();
  await page.getByRole('button', { name: `Stop watching ${lead.business_name}` }).click();
  assert.deepEqual(page.problems, []);
});
