import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../anchor.js';
import { sidebars } from '../sidebar.js';
import { outsideLinks } from './outside-links.js';

/** Sessions on the wire are shown without colours. */
const plainTranscript = { name: 'transcript', scopeName: 'text.transcript', patterns: [], repository: {} };

/**
 * On a busy machine the highlighter gives up on a line after half a second.
 *
 * @param {import('shiki').Highlighter} highlighter
 */
function withoutTimeLimit(highlighter) {
  const { codeToHtml } = highlighter;
  highlighter.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
}

// Pages are rendered below this folder, but compiled in docs/, from where no Vue is found.
const vueOfThisFolder = {
  name: 'vue-of-this-folder',
  enforce: /** @type {const} */ ('pre'),
  /** @type {(id: string, importer: string | undefined, options: { ssr?: boolean }) => unknown} */
  resolveId: (id, _, { ssr }) =>
    ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : undefined,
};

const markFile = readFileSync(new URL('theme/mark.svg', import.meta.url), 'base64');
const mark = `data:image/svg+xml;base64,${markFile}`;

/**
 * The first page has no sidebar, and a style of its own: `theme/home.css`.
 *
 * @param {import('vitepress').PageData} page
 */
function withLayout(page) {
  if (page.relativePath === 'index.md')
    Object.assign(page.frontmatter, { layout: 'home', pageClass: 'home' });
}

/**
 * Guides come before declarations in the results of the search, and decisions last. The browser receives the text of this
 * function, so it uses nothing outside.
 *
 * @param {string} page
 */
function weightOf(page) {
  if (/\/(guide|recipes)\//.test(page)) return 3;
  return /\/(decisions|internals|bench)\//.test(page) ? 0.3 : 1;
}

// The configuration is here and not in docs/, so that docs/ holds Markdown alone, and the generator is installed only by
// those who make the site.
export default defineConfig({
  title: 'Tenon',
  description: 'A TypeScript framework for the Model Context Protocol: servers and clients in every revision',
  lang: 'en',
  head: [['link', { rel: 'icon', href: mark }]],
  srcDir: '../../docs',
  outDir: './dist',
  cacheDir: './node_modules/.cache/vitepress',
  base: process.env.DOCS_BASE ?? '/',
  // Pages that folders on a code host show by themselves.
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  ignoreDeadLinks: false,
  metaChunk: true,
  transformPageData: withLayout,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languages: [plainTranscript],
    shikiSetup: withoutTimeLimit,
    anchor: { slugify: anchorOf },
    config: (md) => void md.use(outsideLinks),
  },
  vite: { plugins: [vueOfThisFolder] },
  themeConfig: {
    logo: { src: mark, alt: '' },
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument: weightOf } } } },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Guide', link: '/guide/getting-started/server', activeMatch: '^/guide/' },
      { text: 'Recipes', link: '/recipes/', activeMatch: '^/recipes/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Internals', link: '/internals/', activeMatch: '^/(internals|decisions|bench)/' },
    ],
    sidebar: sidebars(),
  },
});
