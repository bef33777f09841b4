import { otherBounds } from '@tenon/foundation';
import { connectMemory } from '@tenon/mcp-client/memory';
import { revisions } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { connected } from '../../test/connected.js';
import { skillText } from '../../test/folder.js';
import { answering, entryOf } from '../../test/hostile-server.js';
import { info, served } from '../../test/served.js';
import { type SkillsClientOptions, skills } from '../client.js';
import { skills as serveSkills } from '../server.js';
import { digestOf, type Skill } from '../skill/skill.js';
import type { SkillError } from './skill-error.js';

const uri = 'skill://refunds/SKILL.md';
const guide = 'skill://refunds/references/guide.md';
const text = skillText('refunds');
const files = { [uri]: text, [guide]: 'Read me.\n' };

const reason = (name: string) => expect.objectContaining({ name: 'SkillError', reason: name });

describe.each(revisions)('skills of a server in $id', ({ id: revision }) => {
  it('are listed without a read, loaded with one, and read on demand', async () => {
    shows(
      'ext-skills/skills/answer-from-entry',
      'ext-skills/skills/content-cached',
      'ext-skills/skills/lazy',
      'ext-skills/skills/no-resolution',
    );
    const entry = await entryOf(uri, files);
    const { used, reads } = await connected({ list: () => ({ skills: [entry] }), files }, {}, revision);
    const [listed] = await used.list().all();
    expect(listed).toEqual(entry);
    expect(reads).toEqual([]);
    const skill = await used.load(listed as Skill);
    expect(skill).toMatchObject({ uri, text, body: '\n# refunds\n', frontmatter: entry.frontmatter });
    expect(reads).toEqual([uri]);
    expect(skill.paths).toEqual(['SKILL.md', 'references/guide.md']);
    for (const path of ['references/guide.md', './references/guide.md', 'references/guide.md#water', guide])
      expect(await skill.read(path)).toMatchObject({ uri: guide, text: 'Read me.\n' });
    expect((await skill.read('SKILL.md')).text).toBe(text);
    expect(reads).toEqual([uri, guide]);
  });

  it('are loaded by URI although they are not listed', async () => {
    shows(
      'ext-skills/skills/empty-no-proof',
      'ext-skills/skills/list-partial',
      'ext-skills/skills/load-by-uri',
    );
    const entry = await entryOf(uri, files);
    const { used, reads } = await connected({ get: () => ({ skill: entry }), files }, {}, revision);
    expect(await used.list().all()).toEqual([]);
    expect((await used.load(uri)).entry).toEqual(entry);
    expect(reads).toEqual([uri]);
  });

  it('come from the server of this package', async () => {
    shows('ext-skills/skills/reg-name');
    const mine = skills();
    const extension = serveSkills({
      skills: [
        {
          prefix: 'a b/ü',
          frontmatter: {
            name: 'refunds',
            description: 'd: "x" #',
            list: [1.5, null, { 'k: 1': '---' }],
            text: 'a\nb\u2028',
          },
          body: 'body',
          files: { 'my file.bin': Uint8Array.of(0, 255), 'a#%1.md': 'odd' },
        },
      ],
    });
    const { client } = await served(extension, { extensions: [mine], revision });
    const [listed] = await mine.of(client).skills.list().all();
    const skill = await mine.of(client).skills.load(listed?.uri ?? '');
    expect(skill.body).toBe('body');
    expect((await skill.read('my file.bin')).bytes).toEqual(Uint8Array.of(0, 255));
    expect((await skill.read('my%20file.bin')).text).toBeUndefined();
    expect((await skill.read('a#%1.md')).text).toBe('odd');
    const folder = skill.uri.replace('/SKILL.md', '');
    expect((await mine.of(client).skills.directory(folder).all()).map((one) => one.name)).toEqual([
      'refunds',
      'a#%1.md',
      'my file.bin',
    ]);
  });

  it('are not requested from a server that does not declare them', async () => {
    const mine = skills();
    const client = await connectMemory(createServer(info), { info, extensions: [mine], revision });
    onTestFinished(() => client.close());
    const { skills: used } = client;
    expect(used.isOffered).toBe(false);
    for (const call of [
      used.list().all(),
      used.get(uri),
      used.load(uri),
      used.directory('skill://refunds').all(),
    ])
      await expect(call).rejects.toMatchObject({ reason: 'capability-missing' });
  });
});

describe('load', () => {
  it.each<['digest' | 'size', Record<string, string>]>([
    ['digest', { [uri]: text.replace('How to use', 'Now to use') }],
    ['size', { [uri]: `${text} and more` }],
  ])('refuses a SKILL.md with a wrong %s, and reads no other file', async (why, wrong) => {
    shows(
      'ext-skills/skills/read-verified',
      'ext-skills/skills/size-mismatch',
      'ext-skills/skills/unverified-unused',
    );
    const entry = await entryOf(uri, files);
    const answers = { get: () => ({ skill: entry }), files: { ...files, ...wrong } };
    const { used, reads, gets } = await connected(answers);
    await expect(used.load(uri)).rejects.toEqual(reason(why));
    await expect(used.load(entry)).rejects.toEqual(reason(why));
    expect(new Set(reads)).toEqual(new Set([uri]));
    expect(gets.length).toBeGreaterThan(0);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another description', { description: 'Safe' }],
    ['a field more', { license: 'MIT' }],
    ['another type', { version: '1' }],
    ['another nested value', { metadata: { a: 'c' } }],
  ])('refuses a SKILL.md with %s than its entry', async (_, fields) => {
    shows(
      'ext-skills/skills/frontmatter-compared',
      'ext-skills/skills/frontmatter-mismatch',
      'ext-skills/skills/mismatch-not-loaded',
    );
    const own = skillText('refunds', 'version: 1\nmetadata: {a: b}\n');
    const same = { version: 1, metadata: { a: 'b' } };
    const good = await entryOf(uri, { [uri]: own }, same);
    const bad = await entryOf(uri, { [uri]: own }, { ...same, ...fields });
    const { used, reads } = await connected({ files: { [uri]: own } });
    await used.load(good);
    await expect(used.load(bad)).rejects.toEqual(reason('frontmatter'));
    expect(reads).toEqual([uri, uri]);
  });

  it('refuses a SKILL.md without frontmatter, with invalid YAML, or that is not text', async () => {
    for (const content of [
      '# refunds\n',
      skillText('refunds', 'a: &x 1\nb: *x\n'),
      skillText('refunds', 'a: 1\na: 1\n'),
    ]) {
      const entry = await entryOf(uri, { [uri]: content });
      const { used } = await connected({ files: { [uri]: content } });
      await expect(used.load(entry)).rejects.toEqual(reason('frontmatter'));
    }
  });

  it('reports a skill with another set of files as changed, with its entry', async () => {
    shows('ext-skills/skills/change-presented');
    const before = await entryOf(uri, files);
    const now = { ...files, [uri]: skillText('refunds', '', '# new\n') };
    const after = await entryOf(uri, now);
    const { used } = await connected({ get: () => ({ skill: after }), files: now });
    await expect(used.load(before)).rejects.toMatchObject({ reason: 'changed', current: after });
    expect((await used.load(after)).text).toContain('# new');
  });

  it('asks for approval with the entry before any file is read', async () => {
    shows('ext-skills/skills/lazy', 'ext-skills/skills/load-gated');
    const entry = await entryOf(uri, files);
    const { used, reads } = await connected({ get: () => ({ skill: entry }), files });
    const asked: Skill[] = [];
    const approve = (skill: Skill) => {
      expect(reads).toEqual([]);
      asked.push(skill);
      return false;
    };
    await expect(used.load(uri, { approve })).rejects.toEqual(reason('not-approved'));
    expect(asked).toEqual([entry]);
    expect(reads).toEqual([]);
  });

  it('refuses more files or bytes than the limits, without a read', async () => {
    shows(
      'ext-skills/skills/limit-reported',
      'ext-skills/skills/limits-supported',
      'ext-skills/skills/larger-supported',
    );
    const entry = await entryOf(uri, files);
    const digest = await digestOf('');
    const many = Array.from({ length: 512 }, (_, n) => ({ uri: `skill://refunds/f${n}`, digest, size: 0 }));
    const own = (entry.resources as []).slice(0, 1);
    const big = [...own, { uri: guide, digest, size: 16 * 1024 * 1024 }];
    const { used, reads } = await connected({ files });
    await expect(used.load({ ...entry, resources: [...own, ...many] })).rejects.toEqual(reason('too-large'));
    await expect(used.load({ ...entry, resources: big })).rejects.toEqual(reason('too-large'));
    expect(reads).toEqual([]);
    expect((await used.load({ ...entry, resources: [...own, ...many.slice(1)] })).paths).toHaveLength(512);
  });

  it('loads a skill with reserved metadata keys that it does not know', async () => {
    shows('ext-skills/skills/unknown-reserved-keys');
    const content = skillText('refunds', 'metadata:\n  io.modelcontextprotocol/later: "1"\n');
    const entry = await entryOf(
      uri,
      { [uri]: content },
      { metadata: { 'io.modelcontextprotocol/later': '1' } },
    );
    const { used } = await connected({ files: { [uri]: content } });
    expect((await used.load(entry)).text).toBe(content);
  });

  it('refuses contents of another resource, several contents, and none', async () => {
    const entry = await entryOf(uri, files);
    for (const contents of [
      [{ uri: 'skill://other/SKILL.md', text }],
      [
        { uri, text },
        { uri: guide, text },
      ],
      [],
    ]) {
      const { used } = await connected({ files: { [uri]: () => ({ contents }) } });
      await expect(used.load(entry)).rejects.toEqual(reason('invalid-contents'));
    }
  });

  it('refuses an entry of another skill', async () => {
    const other = await entryOf('skill://other/SKILL.md', { 'skill://other/SKILL.md': skillText('other') });
    const { used } = await connected({ get: () => ({ skill: other }) });
    await expect(used.load(uri)).rejects.toEqual(reason('invalid-entry'));
  });
});

describe('list', () => {
  it('leaves out invalid entries and reports them', async () => {
    shows(
      'ext-skills/skills/invalid-not-loaded',
      'ext-skills/skills/name-is-last-segment',
      'ext-skills/skills/resources-complete',
      'ext-skills/skills/resources-inside',
      'ext-skills/skills/resources-present',
    );
    const good = await entryOf(uri, files);
    const [own] = good.resources as Exclude<Skill['resources'], 'dynamic'>;
    const at = (place: string) => ({ ...good, uri: place, resources: 'dynamic' });
    const bad: unknown[] = [
      null,
      {},
      { ...good, resources: undefined },
      { ...good, resources: 'static' },
      { ...good, resources: [] },
      { ...good, resources: [own, own] },
      { ...good, resources: [own, { ...own, uri: 'skill://other/x' }] },
      { ...good, resources: [own, { ...own, uri: 'skill://refunds/../x' }] },
      { ...good, resources: [own, { ...own, uri: 'skill://refunds/a/%2e%2e/%2e%2e/x' }] },
      { ...good, resources: [own, { ...own, uri: 'skill://refunds/%53KILL.md' }] },
      { ...good, resources: [{ ...own, digest: own?.digest.toUpperCase() }] },
      { ...good, resources: [{ ...own, size: 1.5 }] },
      { ...good, resources: [{ ...own, size: '1' }] },
      { ...good, frontmatter: { name: 'refunds' } },
      { ...good, frontmatter: { ...good.frontmatter, name: 'other' } },
      at('skill://a/../refunds/SKILL.md'),
      at('skill://refunds/SKILL.md?x=1'),
      at('skill://refunds/skill.md'),
      at('skill://refunds//SKILL.md'),
      at('skill://a/%2frefunds/SKILL.md'),
      at('SKILL.md'),
    ];
    const problems: SkillError[] = [];
    const { used } = await connected(
      { list: () => ({ skills: [...bad, good] }) },
      { onInvalid: (problem) => problems.push(problem) },
    );
    expect(await used.list().all()).toEqual([good]);
    expect(problems).toHaveLength(bad.length);
    expect(problems.every((problem) => problem.reason === 'invalid-entry')).toBe(true);
  });

  it('has entries of schemes other than skill', async () => {
    shows('ext-skills/skills/other-schemes');
    const github = 'github://owner/repo/skills/refunds/SKILL.md';
    const { used } = await connected({
      list: () => ({
        skills: [{ uri: github, frontmatter: { name: 'refunds', description: 'd' }, resources: 'dynamic' }],
      }),
    });
    expect((await used.list().all()).map((skill) => skill.uri)).toEqual([github]);
  });

  it('ends a list that never ends, and one of very many skills', async () => {
    let pages = 0;
    const endless = await connected(
      { list: () => ({ skills: [], nextCursor: `${++pages}` }) },
      otherBounds({ pages: 10 }),
    );
    await expect(endless.used.list().all()).rejects.toThrow(
      'The list of skills/list has more than 10 pages.',
    );
    expect(pages).toBe(10);
    const heavy = {
      uri,
      frontmatter: { name: 'refunds', description: 'd'.repeat(900) },
      resources: 'dynamic',
    };
    const large = await connected(
      { list: () => ({ skills: [heavy], nextCursor: 'x' }) },
      otherBounds({ listBytes: 10_000 }),
    );
    await expect(large.used.list().all()).rejects.toThrow(
      'The list of skills/list has more than 10000 bytes.',
    );
    const skill = { uri, frontmatter: { name: 'refunds', description: 'd' }, resources: 'dynamic' };
    const many = await connected({
      list: () => ({ skills: Array.from({ length: 4_000 }, () => skill), nextCursor: 'x' }),
    });
    await expect(many.used.list().all()).rejects.toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('10000 skills'),
    });
  });

  it('rejects pages without skills, and a cursor that is not a text', async () => {
    const none = await connected({ list: () => ({}) });
    await expect(none.used.list().all()).rejects.toMatchObject({ reason: 'invalid-answer' });
    const wrong = await connected({ list: () => ({ skills: [], nextCursor: 5 }) });
    await expect(wrong.used.list().all()).rejects.toMatchObject({ reason: 'invalid-answer' });
  });
});

describe('directory', () => {
  it('leaves out children that are not directly in the directory', async () => {
    const child = (name: string) => ({ uri: `skill://refunds/${name}`, name });
    const problems: SkillError[] = [];
    const { used } = await connected(
      {
        settings: { directoryRead: true },
        directory: () => ({
          resources: [
            child('a'),
            child('b/c'),
            child('../x'),
            { uri: 'file:///etc', name: 'etc' },
            5,
            child('%2e%2e'),
          ].filter((one) => typeof one === 'object'),
        }),
      },
      { onInvalid: (problem) => problems.push(problem) },
    );
    expect((await used.directory('skill://refunds').all()).map((one) => one.name)).toEqual(['a']);
    expect(problems).toHaveLength(4);
  });

  it('is not requested without directoryRead', async () => {
    shows('ext-skills/skills/directory-undeclared');
    const { used } = await connected({ directory: () => ({ resources: [] }) });
    expect(used.canReadDirectories).toBe(false);
    await expect(used.directory('skill://refunds').all()).rejects.toMatchObject({
      reason: 'capability-missing',
    });
  });
});

describe('skills()', () => {
  it.each([[{ allowDynamics: true }, /there is no option/]])('rejects %j', (options, message) => {
    expect(() => skills(options as SkillsClientOptions)).toThrow(message);
  });

  it('returns the same object for a client, and serves many clients', async () => {
    const mine = skills();
    const one = await served(answering({}).extension, { extensions: [mine] });
    const two = await served(answering({}).extension, { extensions: [mine] });
    expect(mine.of(one.client).skills).toBe(mine.of(one.client).skills);
    expect(mine.of(one.client).skills).not.toBe(mine.of(two.client).skills);
  });
});
