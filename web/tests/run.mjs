// Runs the tests in a browser: all of them, or the files that are named. `pictures FOLDER` takes the pictures of the documentation instead.
import { spawn } from 'node:child_process';
import fs from 'node:fs';

// Of a whole file. What does not come within a minute fails by itself; this ends what hangs.
const FILE_MS_MAX = 600_000;
// Two: while one waits for the server, the other uses the processor.
const AT_ONCE = 2;
const [first, ...rest] = process.argv.slice(2);
const all = () => fs.readdirSync('tests').filter((name) => name.endsWith('.test.mjs')).sort().map((name) => `tests/${name}`);
const what = first === 'pictures'
  ? ['tests/pictures.mjs', ...rest]
  : ['--test', `--test-concurrency=${AT_ONCE}`, `--test-timeout=${FILE_MS_MAX}`, '--test-reporter=spec', ...(first ? [first, ...rest] : all())];
const child = spawn(process.execPath, what, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
