import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findingsIn, format } from './check.js';

const usage = `Usage: node tooling/prose/src/main.js [--counts] [PATH...]

Checks comments, test titles, error texts, pages and identifiers against the word list in tooling/prose/src/vocabulary.js.
Without PATH: all files that git knows of. --counts prints the number of findings by folder instead of each.`;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
const root = fileURLToPath(new URL('../../..', import.meta.url));
const paths = args.filter((arg) => !arg.startsWith('--'));
const checked = [
  'packages',
  'apps',
  'examples',
  'tooling',
  'docs',
  '.changeset',
  '.github',
  'README.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];
const excluded = /^tooling\/prose\/|\.d\.ts$|(?:^|\/)CHANGELOG\.md$/;
const files = execFileSync('git', ['ls-files', '-z', '--', ...(paths.length > 0 ? paths : checked)], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 16 * 1024 * 1024,
})
  .split('\0')
  .filter((path) => /\.(?:[cm]?[jt]s|md)$/.test(path) && !excluded.test(path));
const findings = files.flatMap((path) => findingsIn(path, readFileSync(join(root, path), 'utf8')));

if (args.includes('--counts')) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { path } of findings) {
    const folder = path.split('/').slice(0, 2).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${count}\t${folder}`);
} else {
  for (const finding of findings) console.error(format(finding));
}
if (findings.length > 0) {
  console.error(
    `prose: ${findings.length} findings in ${files.length} files; CONTRIBUTING.md says how to fix one`,
  );
  process.exitCode = 1;
} else {
  console.log(`prose: ${files.length} files, no findings`);
}
