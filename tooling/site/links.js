import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Links of a built site to files and anchors that do not exist.
 *
 * @param {string} folder
 * @param {string} [base] the path that the site is served under
 * @returns {string[]} a line for each
 */
export function brokenLinks(folder, base = '/') {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.html'))
      .map((file) => [join(folder, file), readFileSync(join(folder, file), 'utf8')]),
  );
  const anchors = new Map([...pages].map(([file, html]) => [file, anchorsOf(html)]));
  const broken = [];
  for (const [file, html] of pages) {
    for (const [, href = ''] of html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)) {
      if (/^[a-z]+:/i.test(href)) continue;
      const [path = '', anchor = ''] = href.replaceAll('&amp;', '&').split('#');
      const target = targetOf(path, { file, folder, base });
      const problem = problemOf(target, decodeURIComponent(anchor), anchors);
      if (problem !== undefined) broken.push(`${relative(folder, file)}: ${href} ${problem}`);
    }
  }
  return [...new Set(broken)];
}

/** @param {string} html */
function anchorsOf(html) {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
}

/**
 * @param {string} path
 * @param {{ file: string, folder: string, base: string }} from
 */
function targetOf(path, { file, folder, base }) {
  if (path === '') return file;
  const target = path.startsWith(base) ? join(folder, path.slice(base.length)) : resolve(dirname(file), path);
  return path.endsWith('/') ? join(target, 'index.html') : target;
}

/**
 * @param {string} target
 * @param {string} anchor
 * @param {ReadonlyMap<string, ReadonlySet<string | undefined>>} anchors
 */
function problemOf(target, anchor, anchors) {
  if (!existsSync(target)) return 'leads to no file';
  return anchor === '' || anchors.get(target)?.has(anchor) !== false ? undefined : 'leads to no heading';
}
