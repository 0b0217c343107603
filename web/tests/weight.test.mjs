// What the page weighs and how it appears.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { api, APP, openPage, shutDown } from './browser.mjs';

after(shutDown);
const SCRIPT_BYTES_MAX = 150 * 1024;
const SHIFT_MAX = 0.05;
const FIRST_PAINT_MS_MAX = 1000;

test('the scripts weigh at most 150 KB compressed', () => {
  const folder = new URL('../dist/assets/', import.meta.url);
  const bytes = fs.readdirSync(folder).filter((name) => name.endsWith('.js')).reduce((sum, name) => sum + gzipSync(fs.readFileSync(new URL(name, folder)), { level: 9 }).length, 0);
  console.log(`scripts: ${(bytes / 1024).toFixed(1)} KB compressed`);
  assert.ok(bytes <= SCRIPT_BYTES_MAX);
});

test('pages appear within a second and do not jump', async () => {
  const page = await openPage();
  const [done] = (await api(page, 'GET', '/searches?status=done&limit=1')).json();
  for (const path of ['/', '/history', '/usage', '/keys', '/account', '/radar', ...(done ? [`/search/${done.search_id}`] : [])]) {
    await page.goto(`${APP}/app${path}`);
    await page.waitForTimeout(1500);
    const { shift, paint } = await page.evaluate(async () => {
      let shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shift += entry.hadRecentInput ? 0 : entry.value))).observe({ type: 'layout-shift', buffered: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { shift, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 };
    });
    console.log(`${path.slice(0, 20)}: first paint ${paint.toFixed(0)} ms, layout shift ${shift.toFixed(3)}`);
    assert.ok(shift < SHIFT_MAX, `${path} shifts by ${shift}`);
    assert.ok(paint < FIRST_PAINT_MS_MAX, `${path} first paints after ${paint} ms`);
  }
  await page.context().close();
});
