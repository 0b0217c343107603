// Takes the pictures of the documentation: npm run pictures -- FOLDER, with the same variables as the tests.
import fs from 'node:fs';
import path from 'node:path';
import { APP, api, DESKTOP, openPage, PHONE, search, shutDown } from './browser.mjs';

const folder = process.argv[2] ?? '../docs/images';
fs.mkdirSync(folder, { recursive: true });
const page = await openPage();
const past = (await api(page, 'GET', '/searches?limit=100')).json();
const found = past.find((s) => s.location === 'Austin, TX' && s.leads_found >= 60) ?? (await search(page, { industry: 'dentist', location: 'Austin, TX', requested_count: 60 }));
const leads = (await api(page, 'GET', `/searches/${found.search_id}/leads`)).json();
const lead = leads.toSorted((a, b) => b.evidence.length - a.evidence.length)[0];

const PICTURES = [
  ['search', '/', DESKTOP, 'light'],
  ['results', `/search/${found.search_id}`, DESKTOP, 'light'],
  ['lead', `/search/${found.search_id}/${lead.lead_id}`, DESKTOP, 'light'],
  ['lead-dark', `/search/${found.search_id}/${lead.lead_id}`, DESKTOP, 'dark'],
  ['results-phone', `/search/${found.search_id}`, PHONE, 'light'],
  ['radar', '/radar', DESKTOP, 'light'],
  ['usage', '/usage', DESKTOP, 'light'],
];
for (const [name, at, viewport, theme] of PICTURES) {
  const shown = await openPage({ path: at, viewport, theme });
  if (name === 'search') {
    await shown.getByRole('combobox', { name: 'Industry' }).fill('Dentist');
    await shown.getByRole('combobox', { name: 'Place' }).fill('Austin, TX');
    await shown.getByText(/At most .* of your/).waitFor();
    await shown.getByRole('heading', { name: 'Recent' }).click();
  }
  await shown.evaluate(() => document.fonts.ready);
  await shown.waitForTimeout(1200);
  await shown.screenshot({ path: path.join(folder, `${name}.png`) });
  await shown.context().close();
}
await shutDown();
