// What strangers write on websites stays text: no dialog, no script, no link that runs, no broken layout.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, openPage, PHONE, search, shutDown, start, tester, visit } from './browser.mjs';

const NAMES = ['<img src=x onerror=alert(1)><script>alert(2)</script>', '\u202Eevil gpj.exe \u202Dمرحبا', 'A'.repeat(5000), '{{constructor.constructor("alert(5)")()}}'];
let done;
before(async () => {
  await start();
  done = await search(tester, { industry: 'plumber', location: 'Plainville, Sandbox', requested_count: 12 });
});
after(shutDown);

/** Opens the search with its leads made hostile on the way. */
async function openHostile(viewport) {
  const page = await openPage({ viewport });
  await page.route(/\/searches\/[^/]+\/leads/, async (route) => {
    const response = await route.fetch();
    const leads = await response.json();
    const evil = leads.map((lead, i) => ({
      ...lead, business_name: NAMES[i % NAMES.length], website: 'javascript:alert(3)', owner_name: NAMES[0], primary_email: '"><script>alert(4)</script>@x.example', address: 'B'.repeat(3000), phone: 'javascript:alert(6)',
      emails: [{ email: '"><script>alert(4)</script>@x.example', type: '<b>personal</b>', confidence: 0.9, is_primary: true }],
      socials: { facebook: 'javascript:alert(7)', instagram: 'data:text/html,<script>alert(8)</script>' },
      evidence: [{ field: 'emails', value: '<script>', method: 'text', url: 'javascript:alert(9)', snippet: 'x <script>alert(10)</script> y', seen_at: lead.delivered_at }],
    }));
    await route.fulfill({ response, json: evil });
  });
  await visit(page, `/search/${done.search_id}`);
  return page;
}

for (const [name, viewport] of [['a desktop', DESKTOP], ['a phone', PHONE]]) {
  test(`hostile leads are text on ${name}`, async () => {
    const page = await openHostile(viewport);
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    for (let i = 0; i < 4; i++) {
      await page.locator(viewport === DESKTOP ? 'tr.row .name a' : 'a.item').nth(i).click();
      await page.locator('aside.panel').waitFor();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width, 'the page is wider than the window');
      const panel = await page.locator('aside.panel').evaluate((panel) => [panel.scrollWidth, panel.clientWidth]);
      assert.ok(panel[0] <= panel[1] + 1, 'the panel is wider than its place');
      const links = await page.locator('a[href]').evaluateAll((all) => all.map((link) => link.protocol));
      assert.ok(links.every((protocol) => ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol)), links.join());
      if (viewport === PHONE) await page.getByRole('button', { name: 'Back to the leads' }).click();
    }
    const foreign = await page.locator('a[href][target=_blank]').evaluateAll((all) => all.filter((link) => link.origin !== location.origin).map((link) => link.rel));
    assert.ok(foreign.every((rel) => rel.includes('noopener') && rel.includes('noreferrer') && rel.includes('nofollow')), foreign.join());
    assert.equal(await page.locator('main script, main img').count(), 0);
    assert.deepEqual(page.problems, []);
  });
}
