// `node tooling/api-report/pages/write.js`: a page for each public entry of each package, for the documentation site.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicEntries } from '../report.js';
import { indexPage, namePages, optionPage } from './pages.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const out = join(root, 'docs/reference/api');
const packs = packsIn();

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'index.md'), indexPage(packs));
writeFileSync(join(out, 'options.md'), optionPage(packs));
for (const [page, text] of namePages(packs)) writeFileSync(join(out, page), text);

/** @returns {import('./pages.js').Pack[]} */
function packsIn() {
  return readdirSync(join(root, 'packages'))
    .sort()
    .flatMap((directory) => {
      const folder = join(root, 'packages', directory);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (manifest.private) return [];
      const entries = publicEntries(folder, manifest.exports).map(([subpath, file]) => ({
        name: `${manifest.name}${subpath.slice(1)}`,
        page: `${directory}${subpath.slice(1).replaceAll('/', '-')}.md`,
        file,
      }));
      return [{ name: manifest.name, description: manifest.description, folder, manifest, entries }];
    });
}
