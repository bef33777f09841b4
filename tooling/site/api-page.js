/**
 * The page of the site for a link to a report of the public interface: `api/server.api.md`, or `api` for all.
 *
 * @param {string} path relative to the root of the repository
 * @param {string} text of the link; a name leads to its declaration
 * @returns {string | undefined}
 */
export function apiPage(path, text) {
  if (path === 'api' || path === 'api/') return '/reference/api/index.md';
  const [, name] = /^api\/([\w-]+)\.api\.md$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  return `/reference/api/${name}.md${/^\w+$/.test(text) ? `#${text}` : ''}`;
}
