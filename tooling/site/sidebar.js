import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = new URL('../../docs/', import.meta.url);

/**
 * The pages in the order in which they are read, by area of the site. Paths are relative to docs/. A title is the heading of its page.
 *
 * @type {Readonly<Record<string, readonly { text: string, pages: readonly string[] }[]>>}
 */
const areas = {
  '/guide/': [
    group('Getting started', 'guide/getting-started', 'concepts server create client test host when-not'),
    group(
      'Servers',
      'guide/servers',
      'tools schemas errors resources prompts input once progress access limits state files secrets caching middleware transports',
    ),
    group(
      'HTTP and deployment',
      'guide/http',
      'serve application deploy operate several-processes platforms sessions',
    ),
    group(
      'Clients',
      'guide/clients',
      'connect calls errors input connection consent user-interface untrusted browser',
    ),
    group('Hosts', 'guide/hosts', 'build-a-host security other-libraries'),
    group(
      'Authorization',
      'guide/authorization',
      'overview protect scopes verifiers pages upstream sign-in web services tokens errors how-it-works',
    ),
    group('Testing', 'guide/testing', 'servers faults recordings authorization'),
    group(
      'Command line',
      'guide/tools',
      'overview call chat dev lint compat doctor recordings bench conformance clients watch tasks types publish',
    ),
    group('Extensions', 'guide/extensions', 'tasks tasks-client skills apps opentelemetry'),
    group('Extending', 'guide/extending', 'methods extensions openapi'),
    group('Migrating', 'guide/migrating', 'official-sdk fastmcp mcp-use tmcp mcp-lite before-0-1'),
  ],
  '/recipes/': [{ text: 'Recipes', pages: listed('recipes') }],
  '/reference/': [
    { text: 'Reference', pages: [...listed('reference'), 'reference/api/options'] },
    { text: 'API', pages: listed('reference/api').filter((page) => !page.endsWith('options')) },
  ],
  '/internals/': [
    { text: 'Internals', pages: [...listed('internals'), 'bench/README'] },
    { text: 'Decision records', pages: listed('decisions') },
  ],
};

/** The pages of each area, in groups, in the order in which they are read. */
export function areasOfSite() {
  return areas;
}

/** The sidebar of each area. */
export function sidebars() {
  const entries = Object.entries(areas).map(([area, groups]) => [
    area,
    groups.map(({ text, pages }) => ({ text, items: pages.map(itemOf) })),
  ]);
  const sidebar = Object.fromEntries(entries);
  return {
    ...sidebar,
    '/': sidebar['/guide/'],
    '/decisions/': sidebar['/internals/'],
    '/bench/': sidebar['/internals/'],
  };
}

/**
 * @param {string} text
 * @param {string} folder
 * @param {string} names of its pages, in order
 */
function group(text, folder, names) {
  return { text, pages: names.split(' ').map((name) => join(folder, name)) };
}

/**
 * The pages of a folder: its index, then the others by name.
 *
 * @param {string} folder
 */
function listed(folder) {
  // The API reference is generated, and missing before the first build.
  if (!existsSync(new URL(folder, docs))) return [];
  const pages = readdirSync(new URL(folder, docs))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
    .sort((a, b) => Number(isIndex(b)) - Number(isIndex(a)) || a.localeCompare(b));
  return pages.map((page) => join(folder, page));
}

/** @param {string} page */
function itemOf(page) {
  const [, title] = /^# (.*)$/m.exec(readFileSync(new URL(`${page}.md`, docs), 'utf8')) ?? [];
  return { text: title?.replace('@tenon/', ''), link: `/${page.replace(/(README|index)$/, '')}` };
}

/** @param {string} page */
function isIndex(page) {
  return /(README|index)$/.test(page);
}
