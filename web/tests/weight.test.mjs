// What the page weighs and how it appears.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openPage, search, settled, shutDown, start, tester, visit } from './browser.mjs';

before(() => start());
after(shutDown);
const SCRIPT_BYTES_MAX = 150 * 1024;
const SHIFT_MAX = 0.05;
const FIRST_PAINT_MS_MAX = 1000;
const LOADS = 3;

test('the scripts weigh at most 150 KB compressed', () => {
  const folder = new URL('../dist/assets/', import.meta.url);
  const bytes = fs.readdirSync(folder).filter((name) => name.endsWith('.js')).reduce((sum, name) => sum + gzipSync(fs.readFileSync(new URL(name, folder)), { level: 9 }).length, 0);
  console.log(`scripts: ${(bytes / 1024).toFixed(1)} KB compressed`);
  assert.ok(bytes > 0 && bytes <= SCRIPT_BYTES_MAX);
});

/** When this page was first painted, and how much of it has moved since. */
const measure = (page) =>
  page.evaluate(async () => {
    let shift = 0;
    await new Promise((resolve) => {
      const add = (list) => list.getEntries().forEach((entry) => (shift += entry.hadRecentInput ? 0 : entry.value));
      new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    });
    return { shift, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity };
  });

// First paint is time on the clock, of a machine that may be busy with something else: the best of three loads is what the page
// itself takes. Nothing may move in any of them.
test('pages appear within a second and do not jump', async () => {
  const done = await search(tester, { industry: 'plumber', location: 'Plainville, Sandbox', requested_count: 20 });
  const page = await openPage();
  for (const path of ['/', '/history', '/usage', '/keys', '/account', '/radar', `/search/${done.search_id}`]) {
    const loads = [];
    for (let load = 0; load < LOADS; load++) {
      await visit(page, path);
      await settled(page);
      loads.push(await measure(page));
    }
    const paint = Math.min(...loads.map((load) => load.paint));
    const shift = Math.max(...loads.map((load) => load.shift));
    console.log(`${path.slice(0, 20)}: first paint ${paint.toFixed(0)} ms, layout shift ${shift.toFixed(3)}`);
    assert.ok(shift < SHIFT_MAX, `${path} shifts by ${shift}`);
    assert.ok(paint < FIRST_PAINT_MS_MAX, `${path} first paints after ${paint} ms`);
  }
});
