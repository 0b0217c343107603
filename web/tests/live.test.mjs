// Searches while they run: leads arriving, stopping, broken connections, and each way to end.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, test } from 'node:test';
import { APP, api, openPage, search, shutDown } from './browser.mjs';

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
  await page.locator('tr.row').first().waitFor({ timeout: 30_000 });
  const early = await figure(page, 'leads');
  await page.waitForFunction((n) => Number(document.querySelector('[data-figure=leads]').firstChild.textContent) > n, early, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped by you').first().waitFor({ timeout: 30_000 });
  const stored = (await api(page, 'GET', `/searches/${idOf(page)}`)).json();
  assert.equal(stored.status, 'cancelled');
  await page.waitForFunction((n) => Number(document.querySelector('[data-figure=leads]').firstChild.textContent) === n, stored.leads_found);
  assert.equal(await figure(page, 'credits'), stored.credits_charged);
  assert.equal(stored.coverage.stopped_because, 'cancelled');
  assert.deepEqual(page.problems, []);
  await page.context().close();
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
  const running = await search(page, { industry: 'plumber', location: 'Slowtown, Sandbox', requested_count: 40 }, { wait: false });
  await page.goto(`${wire.origin}/app/search/${running.search_id}`);
  await page.locator('tr.row').first().waitFor({ timeout: 30_000 });
  wire.cut();
  await page.getByText('Reconnecting').waitFor({ timeout: 10_000 });
  await page.waitForTimeout(4000);
  wire.mend();
  await page.getByText('Done').first().waitFor({ timeout: 90_000 });
  const stored = (await api(page, 'GET', `/searches/${running.search_id}`)).json();
  await page.waitForFunction((n) => Number(document.querySelector('[data-figure=leads]').firstChild.textContent) === n, stored.leads_found, { timeout: 10_000 });
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  const rows = Number(await page.locator('table[aria-rowcount]').getAttribute('aria-rowcount')) - 1;
  assert.equal(rows, stored.leads_found);
  await page.context().close();
  wire.close();
});

test('Emptyville says that nothing is listed and nothing was charged', async () => {
  const page = await openPage();
  const done = await search(page, { industry: 'plumber', location: 'Emptyville, Sandbox' });
  await page.goto(`${APP}/app/search/${done.search_id}`);
  await page.getByText('No plumber is listed in').waitFor();
  await page.getByText('Nothing was charged').first().waitFor();
  await page.getByRole('button', { name: 'Change the search' }).click();
  assert.equal(await page.getByRole('combobox', { name: 'Place' }).inputValue(), 'Emptyville, Sandbox');
  await page.context().close();
});

test('Blocktown says why it failed and that trying again will not help', async () => {
  const page = await openPage();
  const failed = await search(page, { industry: 'plumber', location: 'Blocktown, Sandbox' });
  assert.equal(failed.status, 'failed');
  await page.goto(`${APP}/app/search/${failed.search_id}`);
  await page.getByText('Failed').first().waitFor();
  await page.getByRole('alert').filter({ hasText: 'will not help' }).waitFor();
  await page.context().close();
});

test('Brokentown keeps the leads found before it failed', async () => {
  const page = await openPage();
  const failed = await search(page, { industry: 'plumber', location: 'Brokentown, Sandbox' });
  await page.goto(`${APP}/app/search/${failed.search_id}`);
  await page.getByRole('alert').filter({ hasText: 'are kept' }).waitFor();
  assert.equal(await figure(page, 'leads'), failed.leads_found);
  await page.context().close();
});

test('an unknown place offers the nearest names', async () => {
  const page = await openPage();
  await page.getByRole('combobox', { name: 'Industry' }).fill('dentist');
  await page.getByRole('combobox', { name: 'Place' }).fill('Austn');
  await page.getByRole('button', { name: 'Austin, TX' }).click();
  assert.equal(await page.getByRole('combobox', { name: 'Place' }).inputValue(), 'Austin, TX');
  await page.getByText('businesses before filters').waitFor();
  await page.context().close();
});

test('a search of another account, or none at all, is said to be missing', async () => {
  const page = await openPage({ path: '/search/019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11' });
  await page.getByRole('heading', { name: 'There is no such search' }).waitFor();
  await page.context().close();
});
