// What a person keeps and looks up: suggestions, saved views, past searches, usage, the own data.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { createPerson, isInside, leadsOf, openPage, PASSWORD, search, shutDown, signIn, start, tester, visit } from './browser.mjs';

let done;
let leads;
before(async () => {
  await start();
  done = await search(tester, { industry: 'dentist', location: 'Austin, TX', requested_count: 20 });
  leads = await leadsOf(tester, done);
});
after(shutDown);
const digits = (text) => Number(text.replaceAll(/\D/g, ''));

test('industries and places are suggested while typing, and chosen with the keyboard', async () => {
  const page = await openPage();
  await page.getByRole('combobox', { name: 'Industry' }).pressSequentially('dent');
  await page.getByRole('option', { name: /dentist/i }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.match(await page.getByRole('combobox', { name: 'Industry' }).inputValue(), /dent/i);
  await page.getByRole('combobox', { name: 'Place' }).pressSequentially('round ro');
  await page.getByRole('option', { name: /Round Rock, TX/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('combobox', { name: 'Place' }).inputValue(), 'Round Rock, TX');
  await page.getByText('businesses before filters').waitFor();
  // A county is meant as a whole.
  await page.getByRole('combobox', { name: 'Place' }).fill('travis county, t');
  await page.getByRole('option', { name: /Travis County, TX/ }).click();
  assert.equal(await page.getByRole('radio', { name: 'County' }).isChecked(), true);
  await page.getByText('businesses before filters').waitFor();
  assert.deepEqual(page.problems, []);
});

test('the map knows the outline and the towns of the area', async () => {
  const page = await openPage();
  const area = page.waitForResponse(/\/area\?/);
  await visit(page, `/search/${done.search_id}`);
  const answer = await (await area).json();
  assert.ok(answer.towns.some((town) => town.name === 'Austin'), 'Austin is not among the towns');
  const { south, north, west, east } = answer.bounds;
  assert.ok(south < 30.27 && north > 30.27 && west < -97.74 && east > -97.74);
  await page.locator('canvas').waitFor();
  assert.deepEqual(page.problems, []);
});

test('a saved view brings back its columns, order and filters', async () => {
  const page = await openPage({ path: `/search/${done.search_id}` });
  await page.getByRole('button', { name: 'Has email' }).click();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByLabel('Name').fill('With email');
  await page.keyboard.press('Enter');
  await page.getByText('Saved the view “With email”.').waitFor();
  const other = await openPage({ path: `/search/${done.search_id}` });
  await other.locator(`table[aria-rowcount="${leads.length + 1}"]`).waitFor();
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByRole('menuitem', { name: 'With email', exact: true }).click();
  await other.locator(`table[aria-rowcount="${leads.filter((lead) => lead.primary_email).length + 1}"]`).waitFor();
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByRole('menuitem', { name: 'Delete the view With email' }).click();
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByRole('menuitem', { name: 'With email', exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual([...page.problems, ...other.problems], []);
});

test('a lead is found again by its words, and a search is done again from History', async () => {
  const page = await openPage({ path: '/history' });
  const [lead] = leads;
  await page.getByLabel('Find in all your leads').fill(lead.business_name);
  await page.getByRole('region', { name: 'Leads found' }).getByText(lead.business_name).first().click();
  await page.locator('aside.panel').getByRole('heading', { name: lead.business_name }).waitFor();
  await visit(page, '/history');
  await page.getByRole('button', { name: /^Search again: dentist/ }).click();
  assert.equal(await page.getByRole('combobox', { name: 'Place' }).inputValue(), 'Austin, TX');
  assert.equal(await page.getByLabel('Leads at most').inputValue(), '20');
  await visit(page, '/history');
  await page.getByRole('button', { name: 'Failed' }).click();
  await page.getByText('No search is failed.').waitFor();
  assert.deepEqual(page.problems, []);
});

test('usage shows the balance, what was spent and the allowances as the API has them', async () => {
  const page = await openPage({ path: '/usage' });
  const { credits } = (await tester.api('GET', '/me')).json();
  const usage = (await tester.api('GET', '/usage?days=30')).json();
  const spent = usage.days.reduce((sum, day) => sum + day.credits, 0);
  assert.equal(spent, done.credits_charged);
  const figure = (name) => page.locator('.fig').filter({ hasText: name }).locator('b').innerText();
  await page.locator('table.list').waitFor();
  assert.equal(digits(await figure('Balance')), credits);
  assert.equal(digits(await figure('Spent, last 30 days')), spent);
  await page.getByText(`0 of ${usage.allowances.enrichments.included.toLocaleString('en')} this month`).first().waitFor();
  await page.getByRole('link', { name: 'Dentist in Austin, TX' }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('the own data is one file, and a deleted account is gone', async () => {
  const who = await createPerson('leaving@example.com', { password: PASSWORD });
  const kept = await search(who, { industry: 'plumber', location: 'Hamletville, Sandbox', requested_count: 2 });
  const page = await openPage({ path: '/account', who });
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export my data' }).click();
  const file = fs.readFileSync(await (await download).path(), 'utf8');
  for (const part of [who.email, kept.search_id]) assert.ok(file.includes(part), `${part} is not in the file`);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await page.getByLabel('Your password').fill('not the password');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('alert').filter({ hasText: /password/ }).waitFor();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(page, who.email);
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
  assert.deepEqual(page.problems, []);
});

test('a server that cannot be reached is said, and the page comes back', async () => {
  const page = await openPage();
  await isInside(page);
  await page.route('**/account', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.unroute('**/account');
  await page.getByRole('button', { name: 'Try again' }).click();
  await isInside(page);
});
