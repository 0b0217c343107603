// Runs the tests in a browser. Either WEB_URL names a server that serves the app, or WEB_API and WEB_KEY name
// one that only has the API: then the built app is served from here, with mocked accounts.
import { spawn } from 'node:child_process';
import { preview } from 'vite';

if (!process.env.WEB_URL && !(process.env.WEB_API && process.env.WEB_KEY)) {
  console.error('Set WEB_URL, WEB_EMAIL and WEB_PASSWORD, or WEB_API and WEB_KEY; web/README.md explains both.');
  process.exit(1);
}
const env = { ...process.env };
let server = null;
if (!env.WEB_URL) {
  server = await preview({ preview: { host: '127.0.0.1', port: 0, strictPort: false }, logLevel: 'warn' });
  env.WEB_PREVIEW = server.resolvedUrls.local[0].replace(/\/app\/$/, '');
}
const files = process.argv.slice(2);
const tests = spawn(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...(files.length ? files : ['tests/'])], { stdio: 'inherit', env });
tests.on('exit', async (code) => {
  await server?.close();
  process.exit(code ?? 1);
});
