import { readFileSync } from 'node:fs';
import { refusal } from '../run/cells.js';
import { skillFiles } from '../servers/fixtures/values.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Column} Column */
/** @typedef {import('../peers/peer.js').LoadedSkill} LoadedSkill */

const everything = new URL('../../../apps/everything-server/skills/', import.meta.url);
const reports = 'report-writing';
const report = (/** @type {string} */ path) =>
  readFileSync(new URL(`${reports}/${path}`, everything), 'utf8');
const bodyOf = (/** @type {unknown} */ text) => String(text).slice(String(text).indexOf('\n---\n') + 5);

/** @type {readonly LoadedSkill[]} */
const ours = [
  {
    uri: `skill://${reports}/SKILL.md`,
    frontmatter: {
      name: reports,
      description: 'How to write a status report. Use it when the user asks for a summary of the week.',
      license: 'Apache-2.0',
      metadata: { 'dev.tenon/level': '1' },
    },
    body: bodyOf(report('SKILL.md')),
    files: { 'SKILL.md': report('SKILL.md'), 'references/guide.md': report('references/guide.md') },
  },
];

/** @type {readonly LoadedSkill[]} */
const theirs = [
  {
    uri: 'skill://brewing/SKILL.md',
    frontmatter: {
      name: 'brewing',
      description: 'How to brew: coffee and tea',
      license: 'MIT',
      metadata: { version: '1.0' },
    },
    body: bodyOf(skillFiles['brewing/SKILL.md']),
    files: {
      'SKILL.md': String(skillFiles['brewing/SKILL.md']),
      'references/guide.md': String(skillFiles['brewing/references/guide.md']),
      'assets/leaf.png': skillFiles['brewing/assets/leaf.png'].toString('base64'),
    },
  },
  {
    uri: 'skill://tasting/SKILL.md',
    frontmatter: { name: 'tasting', description: 'How to taste' },
    body: bodyOf(skillFiles['tasting/SKILL.md']),
    files: { 'SKILL.md': String(skillFiles['tasting/SKILL.md']) },
  },
];

const skillsOf = (/** @type {Column} */ { server }) => (server === 'tenon-everything' ? ours : theirs);
const rootOf = (/** @type {Column} */ column) => skillsOf(column)[0]?.uri.replace('/SKILL.md', '') ?? '';
const unless = (/** @type {Column} */ { client }) =>
  client === 'official-v1' ? 'the official 1.x client has no skills' : undefined;

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'skills: listed, loaded and verified',
    unless,
    run: async ({ peer }) => (await peer.skills?.())?.sort((a, b) => (a.uri < b.uri ? -1 : 1)),
    expected: skillsOf,
  },
  {
    name: 'skills/get',
    unless,
    run: async ({ peer, column }) => (await peer.skill?.(`${rootOf(column)}/SKILL.md`))?.frontmatter,
    expected: (/** @type {Column} */ column) => skillsOf(column)[0]?.frontmatter,
  },
  {
    name: 'skills/get: unknown',
    unless,
    run: async ({ peer }) =>
      (await refusal(peer.skill?.('skill://unknown/SKILL.md') ?? Promise.resolve())).code,
    expected: -32602,
  },
  {
    name: 'resources/directory/read',
    unless,
    run: async ({ peer, column }) =>
      (await peer.directory?.(rootOf(column)))
        ?.map(({ uri, mimeType }) => ({ uri, mimeType }))
        .sort((a, b) => (a.uri < b.uri ? -1 : 1)),
    expected: (/** @type {Column} */ column) => {
      const root = rootOf(column);
      const folders = column.server === 'tenon-everything' ? ['references'] : ['assets', 'references'];
      return [
        { uri: `${root}/SKILL.md`, mimeType: 'text/markdown' },
        ...folders.map((folder) => ({ uri: `${root}/${folder}`, mimeType: 'inode/directory' })),
      ];
    },
  },
  {
    name: 'resources/directory/read: a file',
    unless,
    run: async ({ peer, column }) =>
      (await refusal(peer.directory?.(`${rootOf(column)}/SKILL.md`) ?? Promise.resolve())).code,
    expected: -32602,
  },
];
