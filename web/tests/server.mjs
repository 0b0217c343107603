// A server of its own for each file of tests: fresh data, a free port, its own settings. So no test finds what another left behind, and
// throttled sign-ins or an aged sandbox stay where they were caused.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const BINARY = path.resolve(process.env.CANVASS_BINARY ?? '../target/debug/canvass');
const START_SECONDS_MAX = 60;
const COMMAND_MS_MAX = 120_000;
// Only what a test needs: a minute of tests asks for more than a minute of a person, and strangers may sign up.
const SETTINGS = { CANVASS_SOURCE: 'sandbox', CANVASS_SIGN_UP: 'open', CANVASS_RATE_LIMIT: '3000', CANVASS_LOG: 'info,server=debug' };
// None of these may ever be logged.
const SECRETS = /cv_(live|link|sess)_[0-9A-Za-z]{20,}|[\w.+-]+@example\.(com|org)/;

/**
 * Starts a server. `plans` is the text of its settings file, for plans that differ from the usual ones.
 * With WEB_PREVIEW the app comes from `dist/` instead of the binary, which may have been built with an older one.
 */
export async function startServer({ settings = {}, plans = '' } = {}) {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'canvass-browser-'));
  fs.writeFileSync(path.join(data, 'canvass.toml'), plans);
  // Settings of whoever runs the tests must not reach the server.
  const env = { PATH: process.env.PATH, CANVASS_DATA: data, ...SETTINGS, ...settings };
  const log = path.join(data, 'server.log');
  const child = spawn(BINARY, ['serve', '--json', '--listen', '127.0.0.1:0'], { cwd: data, env, stdio: ['ignore', 'pipe', fs.openSync(log, 'w')] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  process.once('SIGTERM', () => process.exit(1));
  const started = await firstWords(child, log);
  const served = process.env.WEB_PREVIEW ? await preview(started.base_url) : null;
  return {
    data,
    /** Where the app and the API are. */
    base: served?.base ?? started.base_url,
    /** The link printed on the first start. */
    link: started.link,
    /** Runs a command of the server, and returns what it prints as JSON. */
    canvass: (...args) => JSON.parse(execFileSync(BINARY, [...args, '--json'], { cwd: data, env, encoding: 'utf8', timeout: COMMAND_MS_MAX })),
    async stop() {
      await served?.close();
      process.off('exit', kill);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      const said = fs.readFileSync(log, 'utf8').split('\n');
      fs.rmSync(data, { recursive: true, force: true });
      const wrong = said.filter((line) => / (ERROR|WARN) /.test(line) || SECRETS.test(line));
      if (wrong.length) throw new Error(`The server logged trouble or a secret:\n${wrong.slice(0, 5).join('\n')}`);
    },
  };
}

/** What the server prints when it is ready. */
function firstWords(child, log) {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error(`The server did not start within ${START_SECONDS_MAX} seconds:\n${fs.readFileSync(log, 'utf8')}`)), START_SECONDS_MAX * 1000);
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (!/^}/m.test(text)) return;
      clearTimeout(late);
      resolve(JSON.parse(text));
    });
    child.once('error', () => reject(new Error(`${BINARY} cannot be run: build it, or name another binary with CANVASS_BINARY.`)));
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${fs.readFileSync(log, 'utf8')}`)));
  });
}

async function preview(api) {
  process.env.WEB_API = api;
  const vite = await import('vite');
  const server = await vite.preview({ preview: { host: '127.0.0.1', port: 0 }, logLevel: 'warn' });
  return { base: server.resolvedUrls.local[0].replace(/\/app\/$/, ''), close: () => server.close() };
}
