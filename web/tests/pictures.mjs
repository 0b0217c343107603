// Takes the pictures of the documentation: npm run pictures -- FOLDER
import fs from 'node:fs';
import path from 'node:path';
import { leadsOf, openPage, search, settled, shutDown, start, tester } from './browser.mjs';

const folder = process.argv[2] ?? '../docs/images';
const WINDOW = { width: 1360, height: 850 };
const BYTES_MAX = 300_000;
fs.mkdirSync(folder, { recursive: true });
await start();
try {
  const found = await search(tester, { industry: 'dentist', location: 'Travis County, TX', scope: 'county', requested_count: 120 });
  const leads = await leadsOf(tester, found);
  // One that shows what there is to see: an owner, several addresses, signals and their evidence.
  const worth = (lead) => lead.evidence.length + (lead.owner_name ? 5 : 0) + lead.emails.length + (lead.signals.reasons?.length ?? 0);
  const lead = leads.slice(0, 12).toSorted((a, b) => worth(b) - worth(a))[0];
  const pictures = [
    ['results', `/search/${found.search_id}`],
    ['lead', `/search/${found.search_id}/${lead.lead_id}`],
  ];
  for (const [name, where] of pictures) {
    const page = await openPage({ path: where, viewport: WINDOW });
    await page.locator('tr.row').first().waitFor();
    await settled(page);
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    const { size } = fs.statSync(file);
    console.log(`${file}: ${Math.round(size / 1000)} KB`);
    if (size > BYTES_MAX) throw new Error(`${file} is larger than ${BYTES_MAX} bytes`);
  }
} finally {
  await shutDown();
}
