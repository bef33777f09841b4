// Writes `dist/versions.json` of the package in the current folder: the version range of each package of the workspace and of
// the catalog. The program in that package copies templates, and puts these ranges where they say `workspace:*` or `catalog:`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ranges } from './ranges.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(process.cwd(), 'dist');
await mkdir(dist, { recursive: true });
await writeFile(join(dist, 'versions.json'), `${JSON.stringify(ranges(root), undefined, 2)}\n`);
