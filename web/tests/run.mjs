// Runs the tests in a browser. Either CANVASS_WEB_URL names a server that serves the app, or CANVASS_API and CANVASS_KEY name
// one that only has the API: then the built app is served from here, with mocked accounts.
import { spawn } from 'node:child_process';
import { preview } from 'vite';

if (!process.env.CANVASS_WEB_URL && !(process.env.CANVASS_API && process.env.CANVASS_KEY)) {
  console.error('Set CANVASS_WEB_URL, CANVASS_WEB_EMAIL and CANVASS_WEB_PASSWORD, or CANVASS_API and CANVASS_KEY; web/README.md explains both.');
  process.exit(1);
}
const env = { ...process.env };
let server = null;
if (!env.CANVASS_WEB_URL) {
  server = await preview({ preview: { host: '127.0.0.1', port: 0, strictPort: false }, logLevel: 'warn' });
  env.CANVASS_WEB_MOCK = server.resolvedUrls.local[0].replace(/\/app\/$/, '');
}
const files = process.argv.slice(2);
const tests = spawn(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...(files.length ? files : ['tests/'])], { stdio: 'inherit', env });
tests.on('exit', async (code) => {
  await server?.close();
  process.exit(code ?? 1);
});
