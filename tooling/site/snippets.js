// Copies programs from the examples into the pages that show them: `node tooling/site/snippets.js`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const block = /(?:<!-- from (\S+) -->\n)?```(ts|tsx|json|yaml|text)\n([\s\S]*?)\n```/g;

/** Markdown pages for people who use Tenon, relative to the root of the repository. */
export function pages() {
  const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('reference/api/'))
    .map((file) => `docs/${file}`);
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  return ['README.md', 'examples/README.md', ...guides.sort(), ...packages.sort()];
}

/** @param {string} page */
export function readPage(page) {
  return readFileSync(join(root, page), 'utf8');
}

/**
 * TypeScript blocks of a page.
 *
 * @param {string} text
 */
export function snippetsOf(text) {
  return [...text.matchAll(block)].flatMap(([, from, language, code = '']) =>
    language?.startsWith('ts') ? [{ from, code }] : [],
  );
}

/**
 * The page with its programs, and their output, replaced by those of the examples.
 *
 * @param {string} text
 * @returns {string}
 */
export function filled(text) {
  return text.replace(block, (whole, from, language) =>
    from === undefined ? whole : `<!-- from ${from} -->\n\`\`\`${language}\n${programOf(from)}\n\`\`\``,
  );
}

/**
 * @param {string} from a file, or with `#name` the lines between `// #region name` and `// #endregion`; in YAML `#` replaces `//`
 */
function programOf(from) {
  const [path = '', name] = from.split('#');
  const lines = readPage(path).trimEnd().split('\n');
  if (name === undefined) {
    const begin = lines.findIndex((line) => !/^(\/\/|#|$)/.test(line)); // the page says what the first comment says
    return lines
      .slice(begin)
      .filter((line) => !/^\s*(\/\/|#) #(end)?region/.test(line))
      .join('\n');
  }
  const start = lines.findIndex((line) => uncommented(line) === `#region ${name}`);
  if (start < 0) throw new Error(`${from}: there is no "#region ${name}" in that file`);
  const end = lines.findIndex((line, index) => index > start && uncommented(line) === '#endregion');
  const indent = /^\s*/.exec(lines[start] ?? '')?.[0] ?? '';
  return lines
    .slice(start + 1, end)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}

/** @param {string} line */
function uncommented(line) {
  return line.trim().replace(/^(\/\/|#) /, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of pages()) {
    const text = readPage(page);
    const wanted = filled(text);
    if (wanted === text) continue;
    writeFileSync(join(root, page), wanted);
    console.log(page);
  }
}
