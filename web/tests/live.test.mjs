// Searches while they run: leads arriving, stopping, broken connections, and each way to end.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { APP, createPerson, eventually, leadsOf, openPage, search, server, shutDown, start, tester, visit } from './browser.mjs';

before(() => start());
after(shutDown);
const figure = async (page, name) => Number((await page.locator(`[data-figure="${name}"]`).evaluate((e) => e.firstChild.textContent)).replaceAll(',', ''));
const idOf = (page) => new URL(page.url()).pathname.split('/')[3];

test('leads of Slowtown arrive one by one, Stop ends it, and the counts are the API’s', async () => {
  const page = await openPage();
  await page.getByRole('combobox', { name: 'Industry' }).fill('plumber');
  await page.getByRole('combobox', { name: 'Place' }).fill('Slowtown, Sandbox');
  await page.getByLabel('Leads at most').fill('60');
  await page.getByText(/At most \d+ of your/).waitFor();
  await page.getByRole('button', { name: 'Start search' }).click();
  await page.waitForURL(/\/search\/[0-9a-f-]{36}/);
  await page.locator('tr.row').first().waitFor();
  const early = await figure(page, 'leads');
  assert.ok(early < 60, 'all leads came at once');
  await page.waitForFunction((n) => Number(document.querySelector('[data-figure=leads]').firstChild.textContent) > n, early);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped by you').first().waitFor();
  const stored = (await tester.api('GET', `/searches/${idOf(page)}`)).json();
  assert.equal(stored.status, 'cancelled');
  await page.waitForFunction((n) => Number(document.querySelector('[data-figure=leads]').firstChild.textContent) === n, stored.leads_found);
  assert.equal(await figure(page, 'credits'), stored.credits_charged);
  assert.equal(stored.credits_charged, stored.leads_found);
  assert.equal((await tester.api('GET', '/credits?limit=200')).json().filter((line) => line.reason === 'lead').length, stored.leads_found);
  assert.equal((await leadsOf(tester, stored)).length, stored.leads_found);
  assert.equal(stored.coverage.stopped_because, 'cancelled');
  assert.deepEqual(page.problems, []);
});

/** A wire that can be cut: forwards TCP to the app until told otherwise. */
async function cuttable() {
  const target = new URL(APP);
  const sockets = new Set();
  let isCut = false;
  const server = net.createServer((near) => {
    if (isCut) return near.destroy();
    const far = net.connect(Number(target.port || 80), target.hostname);
    for (const [from, to] of [[near, far], [far, near]]) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => (sockets.delete(from), to.destroy()));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    cut: () => ((isCut = true), sockets.forEach((socket) => socket.destroy())),
    mend: () => (isCut = false),
    close: () => (sockets.forEach((socket) => socket.destroy()), server.close()),
  };
}

test('a cut connection is said, and after it no lead is lost or doubled', async () => {
  const wire = await cuttable();
  const page = await openPage();
  const running = await search(tester, { industry: 'plumber', location: 'Slowtown, Sandbox', requested_count: 40 }, { wait: false });
  await page.goto(`${wire.origin}/app/search/${running.search_id}`);
  await page.locator('tr.row').first().waitFor();
  const arrived = await figure(page, 'leads');
  wire.cut();
  await page.getByText('Reconnecting').waitFor();
  // Cut for as long as it takes until something was missed.
  await eventually(async () => (await tester.api('GET', `/searches/${running.search_id}`)).json().leads_found > arrived, 'no lead came meanwhile');
  wire.mend();
  await page.getByText('Done').first().waitFor({ timeout: 90_000 });
  const stored = await leadsOf(tester, running);
  await page.waitForFunction((n) => Number(document.querySelector('[data-figure=leads]').firstChild.textContent) === n, stored.length);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  assert.equal(Number(await page.locator('table[aria-rowcount]').getAttribute('aria-rowcount')) - 1, stored.length);
  const links = new Set();
  for (let top = 0; links.size < stored.length && top < stored.length * 44; top += 400) {
    await page.evaluate(async (to) => {
      document.querySelector('.scroll').scrollTop = to;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, top);
    for (const link of await page.locator('tr.row .name a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))) links.add(link.split('/').pop());
  }
  assert.deepEqual([...links].sort(), stored.map((lead) => lead.lead_id).sort());
  wire.close();
});

test('Emptyville says that nothing is listed and nothing was charged', async () => {
  const page = await openPage();
  const done = await search(tester, { industry: 'plumber', location: 'Emptyville, Sandbox' });
  await visit(page, `/search/${done.search_id}`);
  await page.getByText('No plumber is listed in').waitFor();
  await page.getByText('Nothing was charged').first().waitFor();
  await page.getByRole('button', { name: 'Change the search' }).click();
  assert.equal(await page.getByRole('combobox', { name: 'Place' }).inputValue(), 'Emptyville, Sandbox');
});

test('Blocktown says why it failed and that trying again will not help', async () => {
  const page = await openPage();
  const failed = await search(tester, { industry: 'plumber', location: 'Blocktown, Sandbox' });
  assert.equal(failed.status, 'failed');
  await visit(page, `/search/${failed.search_id}`);
  await page.getByText('Failed').first().waitFor();
  await page.getByRole('alert').filter({ hasText: /will not help\. Nothing was charged\.$/ }).waitFor();
  await page.getByText('The search failed before its first lead.').waitFor();
});

test('Brokentown keeps the leads found before it failed', async () => {
  const page = await openPage();
  const failed = await search(tester, { industry: 'plumber', location: 'Brokentown, Sandbox' });
  await visit(page, `/search/${failed.search_id}`);
  assert.ok(failed.leads_found > 0);
  await page.getByRole('alert').filter({ hasText: `The ${failed.leads_found} leads found before are kept.` }).waitFor();
  assert.equal(await figure(page, 'leads'), failed.leads_found);
  await page.locator('tr.row').first().waitFor();
});

test('an unknown place offers the nearest names', async () => {
  const page = await openPage();
  await page.getByRole('combobox', { name: 'Industry' }).fill('dentist');
  await page.getByRole('combobox', { name: 'Place' }).fill('Austn');
  await page.getByRole('button', { name: 'Austin, TX' }).click();
  assert.equal(await page.getByRole('combobox', { name: 'Place' }).inputValue(), 'Austin, TX');
  await page.getByText('businesses before filters').waitFor();
});

test('few credits lower the count, used up ones stop the search, and without any none starts', async () => {
  const who = await createPerson('poor@example.com', { tier: 'free', addOns: [] });
  const { credits } = (await who.api('GET', '/account')).json();
  server.canvass('account', 'grant', '--email', who.email, '--credits', String(3 - credits));
  const page = await openPage({ who });
  const fill = async () => {
    await page.getByRole('combobox', { name: 'Industry' }).fill('plumber');
    await page.getByRole('combobox', { name: 'Place' }).fill('Slowtown, Sandbox');
  };
  await fill();
  await page.getByText('The count was lowered from 25 to 3').waitFor();
  await page.getByRole('button', { name: 'Start search' }).click();
  await page.waitForURL(/\/search\/[0-9a-f-]{36}/);
  // A second one is quicker and spends what the first one counted on.
  await search(who, { industry: 'plumber', location: 'Plainville, Sandbox', requested_count: 3 });
  await page.getByText('Your credits are used up, so the search stopped.').waitFor();
  const stored = (await who.api('GET', `/searches/${idOf(page)}`)).json();
  await page.waitForFunction((n) => Number(document.querySelector('[data-figure=credits]').firstChild.textContent) === n, stored.credits_charged);
  await visit(page, '/');
  await fill();
  await page.getByText(/no credits left/).first().waitFor();
  assert.equal((await who.api('GET', '/account')).json().credits, 0);
});

test('several places are one search, and no business is in it twice', async () => {
  const page = await openPage();
  await page.getByRole('combobox', { name: 'Industry' }).fill('plumber');
  await page.getByRole('combobox', { name: 'Place', exact: true }).fill('Hamletville, Sandbox');
  await page.getByRole('button', { name: 'Another place in the same search' }).click();
  await page.getByRole('combobox', { name: 'Place 2' }).fill('Plainville, Sandbox');
  // More than both have, so that each place must give all it has.
  await page.getByLabel('Leads at most').fill('100');
  await page.getByRole('button', { name: 'Start search' }).click();
  await page.waitForURL(/\/search\/[0-9a-f-]{36}/);
  await page.getByText('No more in this area').first().waitFor();
  const leads = await leadsOf(tester, { search_id: idOf(page) });
  assert.deepEqual([...new Set(leads.map((lead) => lead.city))].sort(), ['Hamletville', 'Plainville']);
  assert.equal(new Set(leads.map((lead) => lead.business_id)).size, leads.length);
  await page.getByRole('heading', { name: 'Plumber in Hamletville, Sandbox; Plainville, Sandbox' }).waitFor();
  await page.getByRole('button', { name: 'Again' }).click();
  assert.equal(await page.getByRole('combobox', { name: 'Place 2' }).inputValue(), 'Plainville, Sandbox');
  assert.deepEqual(page.problems, []);
});
