// The ways in and out: links, passwords, signing up, a forgotten password, another address, every device at once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { APP, api, createPerson, isInside, linkFor, linkInLetter, openPage, PASSWORD, pathOf, server, shutDown, signIn, start, visit } from './browser.mjs';

before(() => start());
after(shutDown);
const OTHER_PASSWORD = 'marble kettle orbit seven';
const heading = (page, name) => page.getByRole('heading', { name }).waitFor();

test('the link printed on the first start signs in once, and a second use is refused', async () => {
  const link = pathOf(server.link);
  const page = await openPage({ path: link, who: null });
  await heading(page, 'You are signed in');
  assert.equal(page.url(), `${APP}/app/welcome`, 'the token is still in the address');
  await page.getByRole('button', { name: 'Later: go to search' }).click();
  await isInside(page);
  assert.equal((await api(page, 'GET', '/account')).json().email, 'demo@example.com');
  const again = await openPage({ path: link, who: null });
  await heading(again, 'This link was used');
  assert.equal((await api(again, 'GET', '/account')).status, 401);
  await again.getByRole('link', { name: 'Go to sign in' }).click();
  await heading(again, 'Sign in');
  assert.deepEqual([...page.problems, ...again.problems], []);
});

test('an unknown link, an expired one and none at all are told apart', async () => {
  const unknown = await openPage({ path: '/welcome#cv_link_nonsense', who: null });
  await heading(unknown, 'This link is not known');
  const none = await openPage({ path: '/welcome', who: null });
  await heading(none, 'No link here');
  // Nobody waits a quarter of an hour for this: the answer is the server's, which its own tests check.
  const late = await openPage({ who: null });
  await late.route('**/account/link', (route) => route.fulfill({ status: 410, json: { code: 'link_expired', detail: 'this link has expired', errors: [] } }));
  await visit(late, linkFor('demo@example.com'));
  await heading(late, 'This link has expired');
});

test('a password chosen behind a link signs in from then on, and another does not', async () => {
  server.canvass('account', 'create', '--email', 'first@example.com');
  const page = await openPage({ path: linkFor('first@example.com'), who: null });
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await isInside(page);
  await visit(page, '/account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await heading(page, 'Sign in');
  assert.equal((await api(page, 'GET', '/account')).status, 401);
  await visit(page, '/usage');
  await signIn(page, 'first@example.com', 'not the password');
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
  await signIn(page, 'first@example.com');
  // The page that was asked for, not the first one.
  await heading(page, 'Usage');
  assert.match(page.url(), /\/app\/usage$/);
});

test('a stranger signs up by the link in the letter', async () => {
  const page = await openPage({ path: '/sign-up', who: null });
  await page.getByLabel('E-mail address').fill('new@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make an account' }).click();
  await heading(page, 'Look into your mailbox');
  assert.equal((await api(page, 'GET', '/account')).status, 401, 'the address is not confirmed yet');
  await visit(page, await linkInLetter('new@example.com'));
  await heading(page, 'Your account is ready');
  await page.getByRole('button', { name: 'Go to search' }).click();
  await isInside(page);
  const other = await openPage({ who: null });
  await signIn(other, 'new@example.com');
  await isInside(other);
});

test('a forgotten password is replaced by the link in the letter, and the old one is void', async () => {
  await createPerson('forgetful@example.com', { password: PASSWORD });
  const page = await openPage({ path: '/forgot', who: null });
  await page.getByLabel('E-mail address').fill('forgetful@example.com');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await heading(page, 'Look into your mailbox');
  await visit(page, await linkInLetter('forgetful@example.com'));
  await heading(page, 'Choose a new password');
  await page.getByLabel('New password').fill(OTHER_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await isInside(page);
  const other = await openPage({ who: null });
  await signIn(other, 'forgetful@example.com');
  await other.getByText('The e-mail address or the password is wrong.').waitFor();
  await signIn(other, 'forgetful@example.com', OTHER_PASSWORD);
  await isInside(other);
});

test('another address counts once the link sent to it was opened', async () => {
  const who = await createPerson('moving@example.com', { password: PASSWORD });
  const page = await openPage({ path: '/account', who });
  await page.getByLabel('New e-mail address').fill('moved@example.com');
  await page.locator('#email-password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByText('A letter is on its way to moved@example.com').waitFor();
  assert.equal((await who.api('GET', '/account')).json().email, 'moving@example.com');
  await visit(page, await linkInLetter('moved@example.com'));
  await heading(page, 'Your address is changed');
  assert.equal((await who.api('GET', '/account')).json().email, 'moved@example.com');
});

test('signing out everywhere ends this session and every other', async () => {
  const who = await createPerson('everywhere@example.com', { password: PASSWORD });
  const page = await openPage({ who: null });
  await signIn(page, who.email);
  await isInside(page);
  await visit(page, '/account');
  const devices = page.getByRole('button', { name: /^Sign out (?!everywhere)/ });
  await devices.first().waitFor();
  const elsewhere = await openPage({ path: '/history', who });
  await heading(elsewhere, 'History');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await heading(page, 'Sign in');
  assert.equal((await api(page, 'GET', '/account')).status, 401);
  assert.equal((await who.api('GET', '/account')).status, 401);
  await elsewhere.getByRole('link', { name: 'Usage', exact: true }).first().click();
  await elsewhere.getByText('Your session has ended.').waitFor();
});

test('one device is signed out from another', async () => {
  const who = await createPerson('devices@example.com');
  const page = await openPage({ path: linkFor(who.email), who: null });
  await page.getByRole('button', { name: /go to search/i }).click();
  await visit(page, '/account');
  await page.getByRole('button', { name: /^Sign out (?!everywhere)/ }).last().click();
  await page.getByText('is signed out.').waitFor();
  assert.equal((await who.api('GET', '/account')).status, 401);
  assert.equal((await api(page, 'GET', '/account')).status, 200);
});

test('after ten wrong passwords the page says to wait, even with the right one', async () => {
  await createPerson('guessed@example.com', { password: PASSWORD });
  const page = await openPage({ who: null });
  const answer = () => page.waitForResponse(/sign-in/).then((response) => response.status());
  for (let i = 0; i < 10; i++) {
    const status = answer();
    await signIn(page, 'guessed@example.com', `wrong password ${i}`);
    assert.equal(await status, 401, `attempt ${i + 1}`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  }
  const status = answer();
  await signIn(page, 'guessed@example.com');
  assert.equal(await status, 429);
  await page.getByText(/Too many attempts\. Try again in \d+ minutes?/).waitFor();
  // Others are not kept out.
  const other = await openPage({ who: null });
  await signIn(other, 'new@example.com');
  await isInside(other);
});
