// One lead: enrich, intro, watch, marks; and an alert after the sandbox's world has aged.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { APP, api, canvass, HAS_BINARY, openPage, search, shutDown } from './browser.mjs';

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

test('a locked score says which add-on opens it, and no allowance says what helps', async () => {
  const other = await openPage();
  await other.route(/\/searches\/[^/]+\/leads/, async (route) => {
    const response = await route.fetch();
    const leads = await response.json();
    await route.fulfill({ response, json: leads.map((l) => ({ ...l, signals: { ...l.signals, premium_locked: true, score: null, reasons: null } })) });
  });
  await other.route(/\/leads\/[^/]+\/(enrich|intro)/, (route) => route.fulfill({ status: 400, json: { code: 'ai_allowance_used_up', detail: "this month's AI allowance is used up", errors: [] } }));
  await other.goto(page.url());
  await other.locator('aside.panel').getByText('need the Signals+ add-on').waitFor();
  await other.getByRole('button', { name: 'Enrich' }).click();
  await other.getByRole('alert').filter({ hasText: 'your own AI key' }).waitFor();
  await other.context().close();
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

test('a star, a tag and a note stay', async (context) => {
  if (!(await page.getByRole('button', { name: 'Star', exact: true }).count())) return context.skip('this server has no marks');
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
  if (HAS_BINARY) for (const command of [['radar', 'check'], ['sandbox', 'advance'], ['radar', 'check', '--all']]) canvass(...command);
  await page.goto(`${APP}/app/radar`);
  await page.getByRole('region', { name: 'Watching' }).getByText(lead.business_name).first().waitFor();
  if (HAS_BINARY) await page.getByRole('region', { name: 'Alerts' }).getByText(lead.business_name).first().waitFor();
  await page.getByRole('button', { name: `Stop watching ${lead.business_name}` }).click();
  assert.deepEqual(page.problems, []);
});
