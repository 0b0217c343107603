// Runs the tests in a browser, or takes the pictures of the documentation. Either WEB_URL names a server that serves the app, or
// WEB_API and WEB_KEY name one that only has the API: then the built app is served from here, with mocked accounts.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { preview } from 'vite';

const env = { ...process.env };
if (!env.WEB_URL && !(env.WEB_API && env.WEB_KEY)) {
  console.error('Set WEB_URL, WEB_EMAIL and WEB_PASSWORD, or WEB_API and WEB_KEY; web/README.md explains both.');
  process.exit(1);
}
let server = null;
if (!env.WEB_URL) {
  server = await preview({ preview: { host: '127.0.0.1', port: 0 }, logLevel: 'warn' });
  env.WEB_PREVIEW = server.resolvedUrls.local[0].replace(/\/app\/$/, '');
}
const [first, ...rest] = process.argv.slice(2);
const all = () => fs.readdirSync('tests').filter((name) => name.endsWith('.test.mjs')).sort().map((name) => `tests/${name}`);
const what = first === 'pictures' ? ['tests/pictures.mjs', ...rest] : ['--test', '--test-concurrency=1', '--test-reporter=spec', ...(first ? [first, ...rest] : all())];
const child = spawn(process.execPath, what, { stdio: 'inherit', env });
child.on('exit', async (code) => {
  await server?.close();
  process.exit(code ?? 1);
});
