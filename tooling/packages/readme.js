import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.js';
import { tarballsOf } from './outside.js';

/** @typedef {import('./pack.js').Pack} Pack */
/** @typedef {{ language: string, text: string, file: string }} Block `file` is named in the sentence before a program */

/**
 * The blocks of one section of a page.
 *
 * @param {string} page
 * @param {string} heading
 * @returns {Block[]}
 */
export function blocksOf(page, heading) {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [own = ''] = section.split(/^## /m);
  let file = '';
  return [...own.matchAll(/Write `([\w.-]+)`|```(\w+)\n([\s\S]*?)\n```/g)].flatMap(
    ([, named, language, text]) => {
      file = named ?? file;
      return language === undefined || text === undefined ? [] : [{ language, text, file }];
    },
  );
}

/**
 * Does what a section of the README says, in an empty folder: runs the commands, writes the programs, and compares the output
 * of the last command. Only the packages of Tenon come from tarballs.
 *
 * @param {{ root: string, folder: string, packs: Pack[], heading: string }} options
 * @returns {Promise<string>} what the last command printed
 */
export async function followReadme({ root, folder, packs, heading }) {
  mkdirSync(folder, { recursive: true });
  const tarballs = tarballsOf(packs);
  let printed = '';
  for (const { language, text, file } of blocksOf(readFileSync(join(root, 'README.md'), 'utf8'), heading)) {
    if (language === 'ts') writeFileSync(join(folder, file), `${text}\n`);
    if (language === 'text' && printed.trim() !== text.trim())
      throw new Error(`The README says that it prints\n${text}\nIt printed\n${printed}`);
    if (language !== 'sh') continue;
    for (const line of text.split('\n')) {
      const words = line.split(' ').map((word) => tarballs[word] ?? word);
      if (line.startsWith('npm install')) override(folder, tarballs, line.split(' '));
      const [command = '', ...args] = words;
      const { ok, output, stdout } = await run(command, args, { cwd: folder });
      if (!ok) throw new Error(`${line}\n${output}`);
      printed = stdout;
    }
  }
  if (printed === '') throw new Error(`The section "${heading}" of the README has no command that prints.`);
  return printed.trim();
}

/**
 * Makes npm take the packages of Tenon that others depend on from the tarballs too.
 *
 * @param {string} folder
 * @param {Record<string, string>} tarballs
 * @param {readonly string[]} installed words of the command: npm refuses to override what it installs by name
 */
function override(folder, tarballs, installed) {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const own = [...installed, ...Object.keys(manifest.dependencies ?? {})];
  const overrides = Object.fromEntries(Object.entries(tarballs).filter(([name]) => !own.includes(name)));
  writeFileSync(file, JSON.stringify({ ...manifest, overrides }, null, 2));
}
