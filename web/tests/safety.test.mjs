// What strangers cannot do: another site with the cookie, a thief with a key; and what the page keeps and loads.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { APP, eventually, leadsOf, openPage, search, settled, shutDown, start, tester, visit } from './browser.mjs';

let running;
let lead;
before(async () => {
  await start();
  const done = await search(tester, { industry: 'plumber', location: 'Plainville, Sandbox', requested_count: 5 });
  [lead] = await leadsOf(tester, done);
});
after(shutDown);

/** Another site on the same machine: its port makes it another origin, but the cookie would be sent along. */
async function startStranger() {
  const page = (_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Stranger</title><form method="post"><button>Win a prize</button></form>');
  const stranger = http.createServer(page);
  await new Promise((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${stranger.address().port}`, close: () => stranger.close() };
}

test('a stranger’s tab cannot write with the cookie', async () => {
  running = await search(tester, { industry: 'plumber', location: 'Slowtown, Sandbox', requested_count: 60 }, { wait: false });
  const stranger = await startStranger();
  const page = await openPage();
  const targets = [`/searches/${running.search_id}/stop`, `/leads/${lead.lead_id}/enrich`, `/leads/${lead.lead_id}/intro`, '/account/sign-out', '/account/sign-out-everywhere'];
  const before = (await tester.api('GET', '/account')).json();
  for (const target of targets) {
    // A form needs nobody's permission to be sent, and takes the cookie with it.
    await page.goto(stranger.origin);
    await page.evaluate((to) => (document.querySelector('form').action = to), APP + target);
    const [answer] = await Promise.all([page.waitForResponse(APP + target), page.getByRole('button').click()]);
    assert.match((await answer.request().allHeaders()).cookie ?? '', /canvass_session=/, 'the browser did not send the cookie, so this shows nothing');
    assert.equal(answer.status(), 403, target);
  }
  await page.goto(stranger.origin);
  const fetched = await page.evaluate(async (base) => {
    const ask = (path, options) => fetch(base + path, { credentials: 'include', ...options }).then((r) => r.status, () => 'blocked');
    const json = { method: 'POST', headers: { 'Content-Type': 'text/plain' } };
    return [await ask('/account/keys', { ...json, body: '{"name":"theirs"}' }), await ask('/search/start', { ...json, body: '{"industry":"dentist","location":"Austin, TX"}' }), await ask('/account')];
  }, APP);
  assert.ok(fetched.every((status) => status === 'blocked' || status === 403), fetched.join());
  assert.deepEqual((await tester.api('GET', '/account/keys')).json(), []);
  assert.equal((await tester.api('GET', '/account')).json().email, before.email, 'the session was ended');
  const still = (await tester.api('GET', `/searches/${running.search_id}`)).json();
  assert.notEqual(still.status, 'cancelled');
  assert.equal((await tester.api('GET', '/searches')).json().length, 2);
  stranger.close();
  await tester.api('POST', `/searches/${running.search_id}/stop`);
});

test('a stolen key cannot reach the account', async () => {
  const { key } = (await tester.api('POST', '/account/keys', { name: 'stolen' })).json();
  const description = await (await fetch(`${APP}/openapi.json`)).json();
  const open = ['/account/options', '/account/sign-in', '/account/sign-up', '/account/forgot', '/account/link'];
  const paths = Object.entries(description.paths).filter(([path]) => /^\/account(\/|$)/.test(path) && !open.includes(path));
  assert.ok(paths.length > 8, 'the API document lists too few paths');
  for (const [path, operations] of paths)
    for (const method of Object.keys(operations).filter((name) => ['get', 'put', 'post', 'delete', 'patch'].includes(name))) {
      const response = await fetch(APP + path.replace(/\{\w+\}/, '019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11'), { method: method.toUpperCase(), headers: { 'X-API-Key': key, 'Content-Type': 'application/json' }, body: method === 'get' ? undefined : '{}' });
      assert.equal(response.status, 401, `${method} ${path}`);
    }
  assert.equal((await fetch(`${APP}/me`, { headers: { 'X-API-Key': key } })).status, 200, 'the key itself does not work');
});

test('no page breaks its content security policy or loads anything from elsewhere', async () => {
  const page = await openPage();
  const foreign = [];
  page.on('request', (asked) => !asked.url().startsWith(`${APP}/`) && !asked.url().startsWith('data:') && foreign.push(asked.url()));
  const policy = (await page.request.get(`${APP}/app/`)).headers()['content-security-policy'];
  for (const part of ["default-src 'none'", "require-trusted-types-for 'script'", "frame-ancestors 'none'"]) assert.ok(policy.includes(part), part);
  assert.doesNotMatch(policy, /unsafe|\*/);
  const breaches = [];
  await page.exposeFunction('breach', (text) => breaches.push(text));
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => window.breach(`${location.pathname}: ${event.violatedDirective} ${event.blockedURI}`)));
  const inside = ['/', '/history', '/radar', '/usage', '/keys', '/account', '/nowhere', `/search/${lead.search_id}`, `/search/${lead.search_id}/${lead.lead_id}`];
  for (const path of inside) {
    await visit(page, path);
    await settled(page);
  }
  const outside = await openPage({ who: null });
  for (const path of ['/', '/sign-up', '/forgot', '/welcome']) {
    await visit(outside, path);
    await settled(outside);
  }
  // The check itself must notice what it looks for.
  await page.evaluate(() => { const image = new Image(); image.src = 'http://127.0.0.1:9/x.png'; document.body.append(image); });
  await eventually(() => breaches.length, 'a breach is not noticed');
  assert.deepEqual(breaches.map((text) => text.replace(/^.*: /, '')), ['img-src http://127.0.0.1:9/x.png']);
  assert.deepEqual([...page.problems.filter((text) => !text.includes('127.0.0.1:9')), ...outside.problems, ...foreign.filter((url) => !url.includes('127.0.0.1:9'))], []);
});

test('the browser keeps appearance and columns only, and scripts cannot read the session', async () => {
  const page = await openPage({ path: '/account' });
  await page.getByText('Dark', { exact: true }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await visit(page, `/search/${lead.search_id}`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Town' }).click();
  const stored = await page.evaluate(() => [Object.keys(localStorage).sort(), Object.keys(sessionStorage), document.cookie]);
  assert.deepEqual(stored, [['canvass-appearance', 'canvass-columns'], [], '']);
  const [cookie] = await page.context().cookies();
  assert.deepEqual([cookie.name, cookie.httpOnly, cookie.sameSite, cookie.path], ['canvass_session', true, 'Strict', '/']);
});
