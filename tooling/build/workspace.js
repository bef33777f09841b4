// Writes the code of all packages of the workspace in one process, as the script `build` of each says. A build that passes prints nothing.
import { execSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCode } from './build-package.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
);
await Promise.all([...folders, join(root, 'examples')].map(build));

/**
 * Runs the script of a package, its first command in this process.
 *
 * @param {string} folder
 */
async function build(folder) {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return;
  /** @type {string | undefined} `node .../build.js ENTRY... && other commands` */
  const script = JSON.parse(readFileSync(file, 'utf8')).scripts?.build;
  const [first = '', ...others] = script?.split(' && ') ?? [];
  const [, , ...entries] = first.split(' ');
  if (script !== undefined) await writeCode(folder, entries);
  for (const command of others) execSync(command, { cwd: folder, stdio: 'inherit' });
}
