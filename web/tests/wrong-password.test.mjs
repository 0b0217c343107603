// Its name puts this file last: what it does may slow down later sign-ins from this machine.
import { after, test } from 'node:test';
import { openPage, shutDown } from './browser.mjs';

after(shutDown);
const ATTEMPTS_MAX = 14;

test('after ten wrong passwords the page says to wait', async () => {
  const page = await openPage({ signIn: false });
  const throttled = page.getByText(/Too many attempts\. Try again in \d+ minutes?/);
  for (let i = 0; i < ATTEMPTS_MAX && !(await throttled.count()); i++) {
    await page.getByLabel('E-mail address').fill('guessed@example.com');
    await page.getByLabel('Password', { exact: true }).fill(`wrong password ${i}`);
    const answer = page.waitForResponse(/sign-in/);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await answer;
    await page.waitForTimeout(100);
  }
  await throttled.waitFor();
  await page.context().close();
});
