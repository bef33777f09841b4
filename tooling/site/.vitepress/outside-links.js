import { posix } from 'node:path';
import { apiPage } from '../api-page.js';

/** URL of the repository's files, such as `https://host/owner/name/blob/main`. Without it, links to files outside docs/ are plain text. */
const repository = process.env.DOCS_REPOSITORY;

/**
 * Makes links between Markdown files work on the site: a `README.md` is the index of its folder, a report in `api/` is the page
 * of the API reference that the site generates, and what else is outside docs/ is in the repository alone.
 *
 * @param {import('markdown-it').default} md
 */
export function outsideLinks(md) {
  md.core.ruler.push('outside-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      if (children !== null) settle(children, posix.dirname(env.relativePath ?? '.'));
    }
  });
}

/**
 * @param {import('markdown-it').Token[]} tokens those of one paragraph
 * @param {string} folder of the page, relative to docs/
 */
function settle(tokens, folder) {
  let dropped = false;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'link_open') {
      const written = token.attrGet('href') ?? '';
      const href = apiPage(posix.join('docs', folder, written), tokens[index + 1]?.content ?? '') ?? written;
      const outside = fileOutside(href, folder);
      dropped = outside !== undefined && repository === undefined;
      token.attrSet(
        'href',
        outside === undefined ? href.replace(/README\.md(?=#|$)/, 'index.md') : `${repository}/${outside}`,
      );
    }
    if (dropped && /^link_(open|close)$/.test(token.type)) token.type = 'text';
    if (token.type === 'link_close') dropped = false;
  }
}

/**
 * @param {string} href
 * @param {string} folder
 * @returns {string | undefined} relative to the root of the repository; undefined for a page of the site, or another site
 */
function fileOutside(href, folder) {
  if (/^[a-z]+:|^[#/]/i.test(href)) return undefined;
  const path = posix.join('docs', folder, href);
  return path.startsWith('docs/') && /\.md(#|$)/.test(path) ? undefined : path;
}
