import { otherBounds } from '@tenon/foundation';
import { ErrorCode, latestStateless, MetaKey, revisions, serverPort } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { served, skillsIn } from '../test/served.js';
import type { CodeSkill } from './server/code-skill.js';
import { type SkillsOptions, skills } from './server.js';
import { readFrontmatter } from './skill/frontmatter.js';
import { digestOf, getSkill, listSkills, readDirectory, type Skill, skillsId } from './skill/skill.js';

const refunds: CodeSkill = {
  prefix: 'acme/billing',
  frontmatter: {
    name: 'refunds',
    description: 'Refund a customer: "how"',
    metadata: { 'acme.com/v': '2.0' },
  },
  body: '\n# Refunds\n',
  files: { 'references/guide.md': 'Read me.\n', 'templates/mail.txt': 'Dear {name}' },
};
const uri = 'skill://acme/billing/refunds/SKILL.md';
const one = (name: string): CodeSkill => ({ frontmatter: { name, description: 'd' }, body: 'b' });
const invalid = expect.objectContaining({ code: ErrorCode.invalidParams });

describe.each(revisions)('skills in $id', ({ id: revision }) => {
  it('declares its settings and the resources capability, without an envelope', async () => {
    shows('ext-skills/skills/resources-declared');
    const { client } = await served(skills({ skills: [refunds] }), { revision });
    expect(client.capabilities.extensions?.[skillsId]).toEqual({ directoryRead: true });
    expect(client.capabilities.resources).toBeDefined();
  });

  it('lists entries with frontmatter, all files and cache hints', async () => {
    shows(
      'ext-skills/skills/get-by-skill-md',
      'ext-skills/skills/get-cacheable',
      'ext-skills/skills/get-every-skill',
      'ext-skills/skills/list-cacheable',
      'ext-skills/skills/methods-implemented',
      'ext-skills/skills/nested-path',
      'ext-skills/skills/prefix-chosen',
      'ext-skills/skills/resources-complete',
      'ext-skills/skills/resources-present',
      'ext-skills/skills/resources-sized',
      'ext-skills/skills/skill-scheme',
    );
    const { client } = await served(
      skills({ skills: [refunds], cache: { ttlMs: 5_000, cacheScope: 'public' } }),
      { revision },
    );
    const result = await client.request(listSkills, {});
    expect(result).toMatchObject({ ttlMs: 5_000, cacheScope: 'public' });
    expect(result).not.toHaveProperty('nextCursor');
    const [skill] = skillsIn(result);
    expect(skill).toMatchObject({ uri, frontmatter: refunds.frontmatter });
    const files = skill?.resources as Exclude<Skill['resources'], 'dynamic'>;
    expect(files.map((file) => file.uri)).toEqual([
      uri,
      'skill://acme/billing/refunds/references/guide.md',
      'skill://acme/billing/refunds/templates/mail.txt',
    ]);
    for (const file of files) {
      const [contents] = (await client.readResource(file.uri)).contents;
      const { text } = contents as { text: string };
      expect(file).toMatchObject({ digest: await digestOf(text), size: Buffer.byteLength(text) });
    }
    const { skill: got, ...hints } = await client.request(getSkill, { uri });
    expect(got).toEqual(skill);
    expect(hints).toEqual({ ttlMs: 5_000, cacheScope: 'public' });
  });

  it('serves a SKILL.md with the frontmatter of the entry', async () => {
    shows(
      'ext-skills/skills/frontmatter-verbatim',
      'ext-skills/skills/markdown-type',
      'ext-skills/skills/meta-prefix',
      'ext-skills/skills/resource-description',
      'ext-skills/skills/resource-name',
    );
    const { client } = await served(skills({ skills: [refunds] }), { revision });
    const [contents] = (await client.readResource(uri)).contents;
    expect(contents).toMatchObject({ mimeType: 'text/markdown' });
    const read = readFrontmatter((contents as { text: string }).text);
    expect(read).toEqual({ frontmatter: refunds.frontmatter, body: refunds.body });
    expect(await client.resources().all()).toContainEqual({
      uri,
      name: 'refunds',
      description: refunds.frontmatter.description,
      mimeType: 'text/markdown',
    });
  });

  it('answers -32602 for unknown skills, unknown folders, files as folders and cursors of other lists', async () => {
    shows(
      'ext-skills/skills/directory-errors',
      'ext-skills/skills/error-informative',
      'ext-skills/skills/get-by-skill-md',
      'ext-skills/skills/get-unknown',
    );
    const { client } = await served(
      skills({ skills: [refunds, one('a'), one('b')], ...otherBounds({ pageSize: 1 }) }),
      {
        revision,
      },
    );
    const { nextCursor } = await client.request(listSkills, {});
    for (const [method, params] of [
      [getSkill, { uri: 'skill://unknown/SKILL.md' }],
      [getSkill, { uri: 'skill://acme/billing/refunds' }],
      [getSkill, { uri: 'skill://acme/billing/refunds/references/guide.md' }],
      [getSkill, {}],
      [readDirectory, { uri }],
      [readDirectory, { uri: 'skill://acme/billing/refunds/' }],
      [readDirectory, { uri: 'skill://acme/billing/refunds/nothing' }],
      [readDirectory, { uri: 'skill://acme/billing/refunds', cursor: nextCursor }],
      [listSkills, { cursor: 'garbage' }],
      [listSkills, { cursor: '' }],
      [listSkills, { cursor: `${String(nextCursor)}A` }],
      [listSkills, { cursor: 'x'.repeat(20_000) }],
    ] as const)
      await expect(
        client.request(method, params as never).catch((error) => Promise.reject(remote(error))),
        JSON.stringify(params),
      ).rejects.toEqual(invalid);
  });

  it('reads a directory: its direct children, folders as inode/directory', async () => {
    shows('ext-skills/skills/directory-implemented', 'ext-skills/skills/every-directory');
    const { client } = await served(skills({ skills: [refunds] }), { revision });
    const { resources } = await client.request(readDirectory, { uri: 'skill://acme/billing/refunds' });
    const folder = (name: string) => ({
      uri: `skill://acme/billing/refunds/${name}`,
      name,
      mimeType: 'inode/directory',
    });
    expect(resources).toEqual([
      { uri, name: 'refunds', description: refunds.frontmatter.description, mimeType: 'text/markdown' },
      folder('references'),
      folder('templates'),
    ]);
    const templates = await client.request(readDirectory, { uri: 'skill://acme/billing/refunds/templates' });
    expect(templates.resources).toEqual([
      { uri: 'skill://acme/billing/refunds/templates/mail.txt', name: 'mail.txt', mimeType: 'text/plain' },
    ]);
    const above = await client.request(readDirectory, { uri: 'skill://acme' });
    expect(above.resources).toMatchObject([{ uri: 'skill://acme/billing', mimeType: 'inode/directory' }]);
  });

  it('has no method resources/directory/read without directoryRead', async () => {
    const { client } = await served(skills({ skills: [refunds], directoryRead: false }), { revision });
    expect(client.capabilities.extensions?.[skillsId]).toEqual({});
    await expect(client.request(readDirectory, { uri: 'skill://acme' })).rejects.toMatchObject({
      code: ErrorCode.methodNotFound,
    });
  });
});

/** The code of an error, whichever end found it: a client does not send params that have no shape. */
function remote(error: unknown): { code: number } {
  return error instanceof TypeError ? { code: ErrorCode.invalidParams } : (error as { code: number });
}

describe('pages of skills', () => {
  const names = Array.from({ length: 25 }, (_, index) => `skill-${String(index).padStart(2, '0')}`);

  async function read(options: Partial<SkillsOptions>): Promise<{ pages: number[]; uris: string[] }> {
    const { client } = await served(skills({ skills: names.map(one), ...options }));
    const pages: number[] = [];
    const uris: string[] = [];
    let cursor: unknown;
    do {
      const page = await client.request(listSkills, cursor === undefined ? {} : { cursor });
      pages.push(skillsIn(page).length);
      uris.push(...skillsIn(page).map((skill) => skill.uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return { pages, uris };
  }

  it('have at most 100 skills, each once', async () => {
    shows('ext-skills/skills/names-unique');
    const { pages, uris } = await read(otherBounds({ pageSize: 10 }));
    expect(pages).toEqual([10, 10, 5]);
    expect(uris).toEqual(names.map((name) => `skill://${name}/SKILL.md`));
  });

  it('end before they are too long, and never split a skill', async () => {
    const { pages, uris } = await read(otherBounds({ pageCharacters: 1 }));
    expect(pages).toEqual(names.map(() => 1));
    expect(new Set(uris).size).toBe(25);
    expect(
      (await read(otherBounds({ pageCharacters: 1_000 }))).pages.slice(0, -1).every((count) => count > 1),
    ).toBe(true);
  });
});

describe('a dynamic skill', () => {
  it('is listed as dynamic, and generated for each read', async () => {
    shows('ext-skills/skills/dynamic-marked');
    let reads = 0;
    const daily: CodeSkill = {
      frontmatter: { name: 'daily', description: 'd' },
      body: () => `report ${++reads}`,
      files: { 'data.bin': () => Uint8Array.of(1, 0, 2) },
    };
    const { client } = await served(skills({ skills: [daily] }));
    const [skill] = skillsIn(await client.request(listSkills, {}));
    expect(skill?.resources).toBe('dynamic');
    await client.readResource('skill://daily/SKILL.md');
    const [contents] = (await client.readResource('skill://daily/SKILL.md')).contents;
    expect(contents).toMatchObject({ text: expect.stringContaining('report 2') });
    expect((await client.readResource('skill://daily/data.bin')).contents).toMatchObject([{ blob: 'AQAC' }]);
  });

  it('makes the skill around it dynamic too', async () => {
    const inner: CodeSkill = { ...one('inner'), prefix: 'outer', body: () => 'x' };
    const { client } = await served(skills({ skills: [one('outer'), inner] }));
    expect(skillsIn(await client.request(listSkills, {})).map((skill) => skill.resources)).toEqual([
      'dynamic',
      'dynamic',
    ]);
  });
});

describe('skills()', () => {
  it.each<[string, SkillsOptions, RegExp]>([
    ['no skills', {}, /there are no skills/],
    ['a path in place of a source', { from: './skills' as never }, /directory\('.\/skills'\)/],
    ['a misspelt option', { skill: [] } as never, /there is no option "skill"/],
    ['a name with two hyphens', { skills: [one('a--b')] }, /1 to 64 characters/],
    [
      'a reserved metadata key',
      {
        skills: [
          {
            ...one('a'),
            frontmatter: { name: 'a', description: 'd', metadata: { 'io.modelcontextprotocol/x': 'y' } },
          },
        ],
      },
      /reserved/,
    ],
    [
      'a value that JSON cannot write',
      { skills: [{ ...one('a'), frontmatter: { name: 'a', description: 'd', x: Number.NaN } }] },
      /JSON cannot write/,
    ],
    [
      'a file outside of the skill',
      { skills: [{ ...one('a'), files: { '../b': 'x' } }] },
      /"\.\." is not a name/,
    ],
    [
      'a file that begins with a slash',
      { skills: [{ ...one('a'), files: { '/etc/passwd': 'x' } }] },
      /is not a name/,
    ],
    [
      'a SKILL.md among the files',
      { skills: [{ ...one('a'), files: { 'SKILL.md': 'x' } }] },
      /"frontmatter" and "body"/,
    ],
    ['half of a character', { skills: [{ ...one('a'), files: { b: '\ud800' } }] }, /whole characters/],
    ['two skills at one URI', { skills: [one('a'), one('a')] }, /two skills at/],
    [
      'a file that is a folder too',
      { skills: [{ ...one('a'), files: { b: 'x', 'b/c': 'y' } }] },
      /both a file and a folder/,
    ],
    [
      'more than 16 MiB',
      { skills: [{ ...one('a'), files: { b: new Uint8Array(16 * 1024 * 1024) } }] },
      /16777216/,
    ],
    [
      'more than 512 files',
      {
        skills: [
          { ...one('a'), files: Object.fromEntries(Array.from({ length: 512 }, (_, n) => [`f${n}`, ''])) },
        ],
      },
      /at most 512/,
    ],
  ])('rejects %s', (_, options, message) => {
    shows('ext-skills/skills/agent-skills', 'ext-skills/skills/limits-kept', 'ext-skills/skills/name-rules');
    expect(() => skills(options)).toThrow(message);
  });

  it('belongs to one server', async () => {
    const extension = skills({ skills: [one('a')] });
    await served(extension);
    await expect(served(extension)).rejects.toThrow(/belongs to another server/);
  });

  it('needs its scopes for lists, entries, folders and files', async () => {
    shows(
      'ext-skills/skills/directory-result-type',
      'ext-skills/skills/get-result-type',
      'ext-skills/skills/list-result-type',
    );
    const { server } = await served(skills({ skills: [refunds], scopes: ['skills:read'] }));
    const _meta = {
      [MetaKey.protocolVersion]: latestStateless.id,
      [MetaKey.clientCapabilities]: {},
    };
    const answerTo = async (scopes: readonly string[], method: string, params: object) => {
      const facts = { anonymous: false, principal: { id: 'ada', scopes } };
      const request = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
      return server[serverPort].answer(request, { facts, send: () => undefined });
    };
    for (const [method, params] of [
      ['skills/list', {}],
      ['skills/get', { uri }],
      ['resources/directory/read', { uri: 'skill://acme' }],
      ['resources/read', { uri }],
    ] as const) {
      expect(await answerTo(['other'], method, params)).toContain('skills:read');
      expect(await answerTo(['skills:read'], method, params)).toContain('"resultType":"complete"');
    }
  });
});
