// One lead: evidence, enrich, intro, marks, watch; an alert after the sandbox's world has aged; and what a plan does not include.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPerson, leadsOf, openPage, search, server, shutDown, start, tester, visit } from './browser.mjs';

let page;
let lead;
before(async () => {
  // A plan without uses of AI, to see what the page says then.
  await start({ plans: '[plans.starter]\nai_enrich = 0\nai_intro = 0\n' });
  const done = await search(tester, { industry: 'plumber', location: 'Changeville, Sandbox', requested_count: 10 });
  const leads = await leadsOf(tester, done);
  lead = leads.find((l) => l.site_status === 'ok' && l.evidence.length && l.emails.length) ?? leads.find((l) => l.site_status === 'ok');
  page = await openPage({ path: `/search/${done.search_id}/${lead.lead_id}` });
  await page.locator('aside.panel').waitFor();
});
after(shutDown);

test('evidence marks the value in its snippet', async () => {
  const marks = await page.locator('aside.panel mark').allInnerTexts();
  assert.ok(marks.some((text) => lead.evidence.some((e) => e.value.toLowerCase() === text.toLowerCase())), marks.join());
});

test('a locked score names the add-on, and an empty allowance says what helps', async () => {
  const who = await createPerson('starter@example.com', { tier: 'starter', addOns: [] });
  const done = await search(who, { industry: 'plumber', location: 'Plainville, Sandbox', requested_count: 5 });
  const readable = (await leadsOf(who, done)).find((l) => l.site_status === 'ok');
  assert.equal(readable.signals.premium_locked, true);
  const other = await openPage({ who, path: `/search/${done.search_id}/${readable.lead_id}` });
  const panel = other.locator('aside.panel');
  await panel.getByText('need the Signals+ add-on').waitFor();
  await panel.getByRole('button', { name: 'Enrich' }).click();
  await panel.getByRole('alert').filter({ hasText: 'your own AI key' }).waitFor();
  await visit(other, `/search/${done.search_id}/${readable.lead_id}`);
  await panel.getByRole('button', { name: 'Write intro' }).click();
  await panel.getByRole('alert').filter({ hasText: 'your own AI key' }).waitFor();
  assert.equal(await panel.getByRole('button', { name: 'Watch' }).isDisabled(), true, 'Radar is not in this plan');
  assert.deepEqual(other.problems, []);
});

test('a lead without a website, and one whose website was not read, say so', async () => {
  const done = await search(tester, { industry: 'plumber', location: 'Deadwood, Sandbox', requested_count: 25 });
  const leads = await leadsOf(tester, done);
  const unread = leads.find((l) => l.website && l.site_status !== 'ok');
  const siteless = leads.find((l) => !l.website);
  for (const [which, says] of [[unread, /(could not|cannot|not) be read|not read|gone|did not answer|closed/i], [siteless, /no website/i]]) {
    if (!which) continue;
    const shown = await openPage({ path: `/search/${done.search_id}/${which.lead_id}` });
    await shown.locator('aside.panel').getByText(says).first().waitFor();
  }
  assert.ok(unread, 'every website of Deadwood was read');
});

test('Enrich says what became of it and what is left', async () => {
  await page.getByRole('button', { name: 'Enrich' }).click();
  await page.getByRole('status').filter({ hasText: 'enrichments left this month' }).waitFor();
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
  const saved = () => page.waitForResponse(/\/mark$/);
  let answer = saved();
  await page.getByRole('button', { name: 'Star', exact: true }).click();
  await answer;
  answer = saved();
  await page.getByLabel('New tag').fill('call first');
  await page.keyboard.press('Enter');
  await answer;
  answer = saved();
  await page.getByLabel('Note', { exact: true }).fill('Asked for a quote.');
  await page.getByLabel('Note', { exact: true }).blur();
  await answer;
  await page.reload();
  await page.locator('aside.panel').getByText('call first').waitFor();
  assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), 'Asked for a quote.');
  assert.equal(await page.getByRole('button', { name: 'Star', exact: true }).getAttribute('aria-pressed'), 'true');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Starred' }).click();
  await page.locator('table[aria-rowcount="2"]').waitFor();
  await page.locator('tr.row .name a').first().click();
});

test('Watch is listed on Radar, and an alert comes when the business changes', async () => {
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByRole('button', { name: 'Watching' }).waitFor();
  server.canvass('radar', 'check');
  await visit(page, '/radar');
  await page.getByRole('region', { name: 'Watching' }).getByText(lead.business_name).first().waitFor();
  assert.equal(await page.getByRole('region', { name: 'Alerts' }).getByText(lead.business_name).count(), 0);
  server.canvass('sandbox', 'advance');
  server.canvass('radar', 'check', '--all');
  await visit(page, '/');
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByText('new alerts').waitFor({ state: 'attached' });
  await visit(page, '/radar');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.getByText(lead.business_name).first().waitFor();
  const told = (await tester.api('GET', '/radar/alerts')).json();
  assert.equal(await alerts.getByRole('listitem').count(), told.length);
  await page.getByRole('button', { name: `Stop watching ${lead.business_name}` }).click();
  await page.getByText('None yet. Open a lead and press Watch').waitFor();
  assert.deepEqual((await tester.api('GET', '/radar/watches')).json(), []);
  assert.deepEqual(page.problems, []);
});
