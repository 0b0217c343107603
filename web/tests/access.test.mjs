// axe on every page, light and dark, two widths; in dialogs and menus; and the keyboard alone.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { createPerson, DESKTOP, leadsOf, openPage, PASSWORD, PHONE, search, server, settled, shutDown, start, tester, visit } from './browser.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const OUTSIDE = ['/sign-in', '/sign-up', '/forgot', '/welcome'];
let inside;
let results;
let plain;
before(async () => {
  await start();
  const done = await search(tester, { industry: 'dentist', location: 'Austin, TX', requested_count: 25 });
  const failed = await search(tester, { industry: 'plumber', location: 'Blocktown, Sandbox' });
  const empty = await search(tester, { industry: 'plumber', location: 'Emptyville, Sandbox' });
  const changing = await search(tester, { industry: 'plumber', location: 'Changeville, Sandbox', requested_count: 3 });
  for (const lead of await leadsOf(tester, changing)) await tester.api('POST', '/radar/watch', { lead_id: lead.lead_id });
  server.canvass('radar', 'check');
  server.canvass('sandbox', 'advance');
  server.canvass('radar', 'check', '--all');
  await tester.api('POST', '/account/keys', { name: 'a key' });
  const lead = (await leadsOf(tester, done)).toSorted((a, b) => b.evidence.length - a.evidence.length)[0];
  results = `/search/${done.search_id}`;
  inside = ['/', results, `${results}/${lead.lead_id}`, `/search/${failed.search_id}`, `/search/${empty.search_id}`, '/history', '/radar', '/usage', '/keys', '/account', '/nowhere'];
  // Nothing searched, no add-on, no keys: other words on the same pages.
  plain = await createPerson('plain@example.com', { tier: 'free', addOns: [] });
});
after(shutDown);

async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async (tags) => {
    const found = await window.axe.run(document, { runOnly: tags });
    const say = (node) => `${node.target.join(' ')} (${(node.any[0]?.message ?? node.failureSummary ?? '').slice(0, 160)})`;
    return found.violations.map((violation) => `${location.pathname} ${violation.id}: ${violation.nodes.slice(0, 3).map(say).join(' | ')}`);
  }, RULES);
}

for (const theme of ['light', 'dark'])
  for (const [name, viewport] of [['desktop', DESKTOP], ['phone', PHONE]])
    test(`axe finds nothing, ${theme}, ${name}`, async () => {
      const wrong = [];
      for (const [who, paths] of [[tester, inside], [plain, ['/', '/history', '/radar', '/usage', '/keys']], [null, OUTSIDE]]) {
        const page = await openPage({ theme, viewport, who });
        for (const path of paths) {
          await visit(page, path);
          await settled(page);
          wrong.push(...(await violations(page)));
        }
        assert.deepEqual(page.problems, []);
        await page.context().close();
      }
      assert.deepEqual(wrong, []);
    });

test('axe finds nothing in dialogs and menus', async () => {
  const wrong = [];
  const page = await openPage({ path: '/keys' });
  const look = async () => wrong.push(...(await violations(page)));
  await page.getByRole('button', { name: 'New key' }).click();
  await look();
  await page.keyboard.press('Escape');
  await visit(page, results);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await look();
  await page.getByRole('menuitem', { name: /^Ad audience/ }).click();
  await look();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await look();
  await visit(page, '/account');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await look();
  await visit(page, '/');
  await page.getByRole('combobox', { name: 'Place' }).fill('Aust');
  await page.getByRole('option').first().waitFor();
  await look();
  assert.deepEqual(wrong, []);
});

/** Presses Tab until the focus is on something with this name. */
async function tabTo(page, name, most = 80) {
  const here = () => page.evaluate(() => {
    const focused = document.activeElement;
    return [focused?.getAttribute('aria-label'), focused?.labels?.[0]?.textContent, focused?.textContent].filter(Boolean).map((text) => text.trim());
  });
  for (let i = 0; i < most; i++) {
    if ((await here()).some((text) => text.startsWith(name))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${name}`);
}

test('a menu has the focus as soon as it is open, so that no key is lost', async () => {
  const page = await openPage({ path: results });
  const menu = page.getByRole('button', { name: 'Export', exact: true });
  const focused = await menu.evaluate((button) => {
    button.focus();
    button.click();
    return document.activeElement.getAttribute('role');
  });
  assert.equal(focused, 'menuitem');
  await page.keyboard.press('Escape');
  assert.equal(await menu.evaluate((button) => document.activeElement === button), true);
});

test('the keyboard alone goes from signing in to an exported file', async () => {
  const { email } = await createPerson('keyboard@example.com', { password: PASSWORD });
  const page = await openPage({ who: null });
  await page.getByLabel('E-mail address').waitFor();
  await tabTo(page, 'E-mail address');
  await page.keyboard.type(email);
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Industry' }).waitFor();
  await tabTo(page, 'Industry');
  await page.keyboard.type('plumber');
  await tabTo(page, 'Place');
  await page.keyboard.type('Hamletville, Sandbox');
  await page.getByText(/At most .* of your/).waitFor();
  await tabTo(page, 'Start search');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/search\/[0-9a-f-]{36}/);
  await page.getByText('Done').first().waitFor();
  await page.locator('tr.row').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.locator('aside.panel').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Escape');
  await page.locator('aside.panel').waitFor({ state: 'detached' });
  // The focus is back in the table, on the lead that was open.
  await page.waitForFunction(() => document.activeElement?.closest('tr.row'));
  await tabTo(page, 'Export', 200);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  await page.getByRole('menu', { name: 'Export', exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  assert.match((await download).suggestedFilename(), /\.csv$/);
  assert.deepEqual(page.problems, []);
});
