// A changed API document must not go unnoticed: neither as types that were not generated again, nor as code that no longer fits them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'canvass-types-'));
after(() => fs.rmSync(folder, { recursive: true }));
const program = (name) => `node_modules/${name}`;
const code = (args) => run(process.execPath, args).then(() => 0, (error) => error.code);

/** The API document with the number of leads turned into text. */
function changed() {
  const file = path.join(folder, 'openapi.json');
  const text = fs.readFileSync('../openapi.json', 'utf8');
  const document = JSON.parse(text);
  const property = document.components.schemas.Search.properties.leads_found;
  assert.equal(property.type, 'integer');
  property.type = 'string';
  fs.writeFileSync(file, JSON.stringify(document));
  return file;
}

test('types that do not match the API document fail the build', async () => {
  const check = (document) => code([program('openapi-typescript/bin/cli.js'), document, '-o', 'src/api/schema.d.ts', '--check']);
  assert.equal(await check('../openapi.json'), 0);
  assert.notEqual(await check(changed()), 0);
});

test('code that does not fit a changed type fails the build', async () => {
  const copy = path.join(folder, 'web');
  fs.cpSync('src', path.join(copy, 'src'), { recursive: true });
  fs.copyFileSync('tsconfig.json', path.join(copy, 'tsconfig.json'));
  fs.symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  await run(process.execPath, [program('openapi-typescript/bin/cli.js'), changed(), '-o', path.join(copy, 'src/api/schema.d.ts')]);
  const checked = await run(process.execPath, [program('svelte-check/bin/svelte-check'), '--workspace', copy, '--tsconfig', path.join(copy, 'tsconfig.json'), '--output', 'machine'], { maxBuffer: 1e8 }).catch((error) => error);
  assert.match(checked.stdout, /leads_found|not assignable to parameter of type 'number'|arithmetic/, checked.stdout.slice(-500));
  assert.equal(checked.code, 1);
});
