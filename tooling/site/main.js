// `node main.js build` makes the site in `dist`, with its files for models, and checks every link in it; `node main.js serve`
// shows it while pages change.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { brokenLinks } from './links.js';
import { writeLlmsFiles } from './llms.js';
import { areasOfSite } from './sidebar.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const serve = process.argv[2] === 'serve';

const program = fileURLToPath(new URL('node_modules/vitepress/bin/vitepress.js', import.meta.url));
const { status } = spawnSync(process.execPath, [program, serve ? 'dev' : 'build', here], {
  stdio: 'inherit',
});
if (status !== 0 || serve) process.exit(status ?? 1);

const dist = fileURLToPath(new URL('dist', import.meta.url));
writeLlmsFiles({
  docs: fileURLToPath(new URL('../../docs', import.meta.url)),
  dist,
  areas: areasOfSite(),
  base: process.env.DOCS_BASE,
});
const broken = brokenLinks(dist, process.env.DOCS_BASE);
for (const line of broken) console.error(line);
console.log(broken.length === 0 ? 'site: every link leads somewhere' : `site: ${broken.length} broken links`);
process.exitCode = broken.length === 0 ? 0 : 1;
