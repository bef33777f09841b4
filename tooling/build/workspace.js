// Builds packages of the workspace: `node workspace.js [PACKAGE...]` builds the named ones and those that they depend on, or all.
// One process writes the code of all of them, as the script `build` of each says, then one compiler writes all declarations.
// Code is written again only when something that it depends on has changed. A build that passes prints nothing.
import { execSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, writeCode } from './build-package.js';
import { inputHashes } from './input-hashes.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const record = join(root, 'node_modules/.cache/tenon-build.json');

/**
 * @typedef {object} Package
 * @property {string} folder
 * @property {string} script
 * @property {readonly string[]} dependencies names
 */

const all = packages();
const chosen = closure(process.argv.slice(2));
const hashOf = await inputHashes([...all.values()].map(({ folder }) => folder));
/** @type {Record<string, { hash: string, files: readonly string[] }>} */
const written = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
await Promise.all(
  chosen.map(async ([name, { folder, script }]) => {
    const hash = await hashOf(folder);
    const before = written[name];
    if (before?.hash === hash && before.files.every((file) => existsSync(join(root, file)))) return;
    written[name] = { hash, files: await build(folder, script) };
  }),
);
process.exitCode = compile(chosen.map(([, { folder }]) => folder));
mkdirSync(dirname(record), { recursive: true });
writeFileSync(record, JSON.stringify(written));

/**
 * Runs the script of a package, its first command in this process.
 *
 * @param {string} folder
 * @param {string} script `node .../build.js ENTRY... && other commands`
 */
async function build(folder, script) {
  const [first = '', ...others] = script.split(' && ');
  const [, , ...entries] = first.split(' ');
  const files = await writeCode(folder, entries);
  for (const command of others) execSync(command, { cwd: folder, stdio: 'inherit' });
  return files.map((file) => file.slice(root.length));
}

/** Returns all packages that have a script `build`, by name. */
function packages() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
  );
  /** @type {Map<string, Package>} */
  const found = new Map();
  for (const folder of [...folders, join(root, 'examples')]) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, scripts, dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
    if (scripts?.build === undefined) continue;
    const names = Object.keys({ ...dependencies, ...devDependencies });
    found.set(name, { folder, script: scripts.build, dependencies: names });
  }
  return found;
}

/**
 * Returns packages with those that they depend on.
 *
 * @param {readonly string[]} names all packages if empty
 */
function closure(names) {
  const wanted = new Set(names.length > 0 ? names : all.keys());
  const unknown = names.filter((name) => !all.has(name));
  if (unknown.length > 0) throw new Error(`The workspace builds no package ${unknown.join(', ')}.`);
  // The loop visits the names that it adds.
  for (const name of wanted)
    for (const other of all.get(name)?.dependencies ?? []) if (all.has(other)) wanted.add(other);
  return [...all].filter(([name]) => wanted.has(name));
}
