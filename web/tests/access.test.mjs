// axe on every page, light and dark, two widths; the keyboard alone; nothing in the browser's storage.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { APP, api, DESKTOP, EMAIL, openPage, PASSWORD, PHONE, search, shutDown } from './browser.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
let pages;
before(async () => {
  const page = await openPage();
  const past = (await api(page, 'GET', '/searches?limit=100')).json();
  const done = past.find((s) => s.location === 'Austin, TX' && s.leads_found >= 20) ?? (await search(page, { industry: 'dentist', location: 'Austin, TX', requested_count: 25 }));
  const failed = past.find((s) => s.status === 'failed') ?? (await search(page, { industry: 'plumber', location: 'Blocktown, Sandbox' }));
  const leads = (await api(page, 'GET', `/searches/${done.search_id}/leads`)).json();
  const lead = leads.toSorted((a, b) => b.evidence.length - a.evidence.length)[0];
  await page.context().close();
  pages = ['/', `/search/${done.search_id}`, `/search/${done.search_id}/${lead.lead_id}`, `/search/${failed.search_id}`, '/history', '/radar', '/usage', '/keys', '/account', '/nowhere'];
});
after(shutDown);

async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async (tags) => {
    const found = await window.axe.run(document, { runOnly: tags });
    return found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((node) => `${node.target.join(' ')} (${(node.any[0]?.message ?? node.failureSummary ?? '').slice(0, 160)})`).join(' | ')}`);
  }, RULES);
}

for (const theme of ['light', 'dark'])
  for (const [name, viewport] of [['desktop', DESKTOP], ['phone', PHONE]])
    test(`axe finds nothing, ${theme}, ${name}`, async () => {
      const wrong = [];
      for (const path of pages) {
        const page = await openPage({ path, theme, viewport, bypassCSP: true });
        await page.waitForTimeout(900);
        for (const violation of await violations(page)) wrong.push(`${path} ${violation}`);
        assert.deepEqual(page.problems, [], path);
        await page.context().close();
      }
      for (const path of ['/sign-in', '/sign-up', '/forgot', '/welcome']) {
        const page = await openPage({ path, theme, viewport, bypassCSP: true, signIn: false });
        await page.locator('h1').waitFor();
        await page.waitForTimeout(300);
        for (const violation of await violations(page)) wrong.push(`${path} ${violation}`);
        await page.context().close();
      }
      assert.deepEqual(wrong, []);
    });

test('axe finds nothing in dialogs and menus', async () => {
  const wrong = [];
  const page = await openPage({ path: '/keys', bypassCSP: true });
  await page.getByRole('button', { name: 'New key' }).click();
  wrong.push(...(await violations(page)));
  await page.keyboard.press('Escape');
  await page.goto(APP + '/app' + pages[1]);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  wrong.push(...(await violations(page)));
  await page.getByRole('menuitem', { name: /^Ad audience/ }).click();
  wrong.push(...(await violations(page)));
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  wrong.push(...(await violations(page)));
  assert.deepEqual(wrong, []);
  await page.context().close();
});

/** Presses Tab until the focus is on something with this name. */
async function tabTo(page, name, most = 60) {
  for (let i = 0; i < most; i++) {
    const focused = await page.evaluate(() => { const e = document.activeElement; return [e?.getAttribute('aria-label'), e?.labels?.[0]?.textContent, e?.textContent].filter(Boolean).map((t) => t.trim()); });
    if (focused.some((text) => text.startsWith(name))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${name}`);
}

test('the keyboard alone goes from signing in to an exported file', async () => {
  const page = await openPage({ signIn: false });
  await page.getByLabel('E-mail address').waitFor();
  await tabTo(page, 'E-mail address');
  await page.keyboard.type(EMAIL);
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Industry' }).waitFor();
  await tabTo(page, 'Industry');
  await page.keyboard.type('plumber');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Hamletville, Sandbox');
  await page.getByText(/At most .* of your/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/search\/[0-9a-f-]{36}/);
  await page.getByText('Done').first().waitFor({ timeout: 60_000 });
  await page.locator('tr.row').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('aside.panel').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Escape');
  await page.locator('aside.panel').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.closest('tr.row'));
  await page.keyboard.press('c');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Shift+Tab');
  await page.locator('button[aria-label="Export"]').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu', { name: 'Export', exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  assert.match((await download).suggestedFilename(), /\.csv$/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('storage holds appearance and columns only, and no address holds a key', async () => {
  const page = await openPage({ path: '/account' });
  await page.getByText('Dark', { exact: true }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.goto(APP + '/app' + pages[1]);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Town' }).click();
  const stored = await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]);
  assert.deepEqual(stored[0].sort(), ['canvass-appearance', 'canvass-columns']);
  assert.deepEqual(stored.slice(1), [[], '']);
  await page.context().close();
});
