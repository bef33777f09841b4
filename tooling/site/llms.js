import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @typedef {Readonly<Record<string, readonly { text: string, pages: readonly string[] }[]>>} Areas pages by area of the site */

/** Areas that a model needs only for changes of Tenon itself: the section that the format calls "Optional". */
const optional = ['/internals/'];

/**
 * Writes the files that models read in place of the site, in the format of https://llmstxt.org: `llms.txt` lists the pages,
 * `llms-full.txt` has those of the guide and the recipes whole, and each page is there as Markdown.
 *
 * @param {{ docs: string, dist: string, areas: Areas, base?: string | undefined }} options `base` is the path that the site is served under
 */
export function writeLlmsFiles({ docs, dist, areas, base = '/' }) {
  const read = (/** @type {string} */ page) => readFileSync(join(docs, `${page}.md`), 'utf8');
  for (const page of ['README', ...pagesOf(areas)]) {
    const file = join(dist, markdownOf(page));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, read(page));
  }
  writeFileSync(join(dist, 'llms.txt'), listOf({ read, areas, base }));
  const whole = ['/guide/', '/recipes/'].flatMap((area) => (areas[area] ?? []).flatMap(({ pages }) => pages));
  writeFileSync(join(dist, 'llms-full.txt'), ['README', ...whole].map(read).join('\n\n'));
}

/**
 * @param {{ read: (page: string) => string, areas: Areas, base: string }} options
 * @returns {string} `llms.txt`
 */
export function listOf({ read, areas, base }) {
  const itemOf = (/** @type {string} */ page) => {
    const { title, about } = headOf(read(page));
    return `- [${title}](${base}${markdownOf(page)})${about === '' ? '' : `: ${about}`}`;
  };
  const sections = Object.entries(areas).flatMap(([area, groups]) =>
    optional.includes(area)
      ? [`## Optional\n\n${groups.flatMap(({ pages }) => pages.map(itemOf)).join('\n')}`]
      : groups.map(({ text, pages }) => `## ${text}\n\n${pages.map(itemOf).join('\n')}`),
  );
  const { title, about } = headOf(read('README'));
  return `# ${title}\n\n> ${about}\n\n${sections.join('\n\n')}\n`;
}

/** @param {Areas} areas */
function pagesOf(areas) {
  return Object.values(areas).flatMap((groups) => groups.flatMap(({ pages }) => pages));
}

/** @param {string} page */
function markdownOf(page) {
  return `${page.replace(/README$/, 'index')}.md`;
}

/**
 * The title and the first sentence of a page, without links.
 *
 * @param {string} text
 */
function headOf(text) {
  const [, title = '', first = ''] = /^# (.+)\n+([^\n#<|`![-][\s\S]*?)(?:\n\n|(?![\s\S]))/m.exec(text) ?? [];
  const plain = first.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const [sentence = ''] = /^.*?[.:](?= |$)/.exec(plain) ?? [plain];
  return {
    title: title === '' ? (/^# (.+)$/m.exec(text)?.[1] ?? '') : title,
    about: sentence.replace(/:$/, '.').trim(),
  };
}
