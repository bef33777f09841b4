// Writes api/<package>.api.md for every public package; with --check, prints which ones differ.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicEntries, report } from './report.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const check = process.argv.includes('--check');
const reports = join(root, 'api');
const stale = new Set(existsSync(reports) ? readdirSync(reports) : []);
let differing = 0;

mkdirSync(reports, { recursive: true });
for (const directory of readdirSync(join(root, 'packages')).sort()) {
  const folder = join(root, 'packages', directory);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (manifest.private) continue;
  const file = `${directory}.api.md`;
  stale.delete(file);
  settle(file, report({ name: manifest.name, folder, entries: publicEntries(folder, manifest.exports) }));
}
for (const file of stale) settle(file, undefined);
if (differing > 0) {
  console.error(`api: ${differing} reports differ; if the change is meant, run \`pnpm api\` and commit api/`);
  process.exitCode = 1;
} else console.log(`api: reports ${check ? 'up to date' : 'written'}`);

/**
 * @param {string} file
 * @param {string | undefined} wanted undefined if the package was removed
 */
function settle(file, wanted) {
  const path = join(reports, file);
  if (!check) {
    if (wanted === undefined) rmSync(path);
    else writeFileSync(path, wanted);
    return;
  }
  const present = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (present === (wanted ?? '')) return;
  differing += 1;
  const [before, after] = [present.split('\n'), (wanted ?? '').split('\n')];
  const changes = [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
  console.error(`api/${file}`);
  for (const line of changes.slice(0, 40)) console.error(`  ${line}`);
  if (changes.length > 40) console.error(`  and ${changes.length - 40} more lines`);
  if (changes.length === 0) console.error('  the same lines in another order');
}
