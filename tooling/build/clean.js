// Removes the output of builds, type checks and caches.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['.', 'examples'];
for (const parent of ['packages', 'apps', 'tooling']) {
  for (const name of await readdir(join(root, parent))) folders.push(join(parent, name));
}
for (const folder of folders) {
  for (const name of ['dist', '.turbo', 'node_modules/.cache']) {
    await rm(join(root, folder, name), { recursive: true, force: true });
  }
}
