import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { otherBounds } from '@tenon/foundation';
import { ErrorCode } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { folderWith, skillText, write } from '../test/folder.js';
import { served, skillsIn } from '../test/served.js';
import { directory } from './directory.js';
import { skills } from './server.js';
import { getSkill, listSkills, type Skill } from './skill/skill.js';

const digest = (text: string | Uint8Array) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const guide = 'Read the guide.\n';
const refunds = { 'refunds/SKILL.md': skillText('refunds'), 'refunds/references/guide.md': guide };
const uri = 'skill://refunds/SKILL.md';

describe('directory', () => {
  it('serves each folder with a SKILL.md, with the digest and size of every file', async () => {
    shows(
      'ext-skills/skills/frontmatter-verbatim',
      'ext-skills/skills/has-skill-md',
      'ext-skills/skills/markdown-type',
      'ext-skills/skills/methods-implemented',
      'ext-skills/skills/more-files',
      'ext-skills/skills/nested-path',
      'ext-skills/skills/resource-description',
      'ext-skills/skills/resource-name',
      'ext-skills/skills/resources-complete',
      'ext-skills/skills/resources-inside',
      'ext-skills/skills/resources-sized',
      'ext-skills/skills/skill-scheme',
    );
    const root = folderWith({
      ...refunds,
      'notes.txt': 'no skill',
      'acme/billing/invoices/SKILL.md': skillText('invoices'),
    });
    const { client } = await served(skills({ from: directory(root) }));
    const [first, second] = skillsIn(await client.request(listSkills, {}));
    expect(first).toMatchObject({ uri: 'skill://acme/billing/invoices/SKILL.md' });
    expect(second).toEqual({
      uri,
      frontmatter: { name: 'refunds', description: 'How to use refunds' },
      resources: [
        { uri, digest: digest(skillText('refunds')), size: skillText('refunds').length },
        { uri: 'skill://refunds/references/guide.md', digest: digest(guide), size: guide.length },
      ],
    });
    const { contents } = await client.readResource('skill://refunds/references/guide.md');
    expect(contents).toEqual([
      { uri: 'skill://refunds/references/guide.md', mimeType: 'text/markdown', text: guide },
    ]);
    expect(await client.resources().all()).toContainEqual({
      uri,
      name: 'refunds',
      description: 'How to use refunds',
      mimeType: 'text/markdown',
    });
  });

  it('serves bytes, and text with a byte order mark, without a change', async () => {
    const binary = Uint8Array.from({ length: 256 }, (_, index) => index);
    const marked = '\uFEFFwith a mark\r\n';
    const root = folderWith({ ...refunds, 'refunds/a b#1.bin': binary, 'refunds/marked.txt': marked });
    const { client } = await served(skills({ from: directory(root) }));
    const [bytes] = (await client.readResource('skill://refunds/a%20b%231.bin')).contents;
    expect(digest(Buffer.from(String((bytes as { blob: string }).blob), 'base64'))).toBe(digest(binary));
    const [text] = (await client.readResource('skill://refunds/marked.txt')).contents;
    expect(text).toMatchObject({ text: marked });
  });

  it('lists a nested skill on its own, and its files with the skill around it', async () => {
    shows('ext-skills/skills/nested-skill-md');
    const root = folderWith({
      ...refunds,
      'refunds/partial/SKILL.md': skillText('partial'),
      'refunds/partial/a.md': 'a',
    });
    const { client } = await served(skills({ from: directory(root) }));
    const [outer, nested] = skillsIn(await client.request(listSkills, {}));
    const urisOf = (skill: Skill | undefined) =>
      typeof skill?.resources === 'object' ? skill.resources.map((one) => one.uri).sort() : [];
    expect(urisOf(nested)).toEqual(['skill://refunds/partial/SKILL.md', 'skill://refunds/partial/a.md']);
    expect(urisOf(outer)).toEqual([uri, ...urisOf(nested), 'skill://refunds/references/guide.md'].sort());
  });

  it('serves a nested SKILL.md that is not a valid skill as a supporting file', async () => {
    const root = folderWith({ ...refunds, 'refunds/template/SKILL.md': '# fill this in\n' });
    const { client } = await served(skills({ from: directory(root) }));
    const [only, ...more] = skillsIn(await client.request(listSkills, {}));
    expect(more).toEqual([]);
    expect(only?.resources).toContainEqual(
      expect.objectContaining({ uri: 'skill://refunds/template/SKILL.md' }),
    );
  });

  it('leaves out names that begin with a dot', async () => {
    const root = folderWith({ ...refunds, 'refunds/.env': 'SECRET=1', '.git/SKILL.md': skillText('git') });
    const { client } = await served(skills({ from: directory(root) }));
    expect((await client.resources().all()).map((one) => one.uri).sort()).toEqual([
      uri,
      'skill://refunds/references/guide.md',
    ]);
  });

  it.each<[string, Record<string, string | Uint8Array>, RegExp]>([
    ['no frontmatter', { 'a/SKILL.md': '# a\n' }, /a\/SKILL\.md: it does not begin with/],
    [
      'a name that is not its folder',
      { 'a/SKILL.md': skillText('b') },
      /the name is "b", and its folder is "a"/,
    ],
    ['a name with upper case', { 'A/SKILL.md': skillText('A') }, /must have 1 to 64 characters/],
    ['no description', { 'a/SKILL.md': '---\nname: a\n---\n' }, /"description" must be/],
    [
      'a reserved metadata key',
      { 'a/SKILL.md': skillText('a', 'metadata:\n  io.modelcontextprotocol/x: "1"\n') },
      /is reserved/,
    ],
    [
      'a metadata value that is not a text',
      { 'a/SKILL.md': skillText('a', 'metadata:\n  version: 2.1\n') },
      /quotation marks/,
    ],
    ['bytes that are not text', { 'a/SKILL.md': Uint8Array.of(0xff, 0xfe) }, /not text in UTF-8/],
    ['an alias', { 'a/SKILL.md': skillText('a', 'x: &x [1]\ny: *x\n') }, /the alias \*x/],
    ['a SKILL.md in the folder itself', { 'SKILL.md': skillText('a') }, /is a skill itself/],
    [
      'a misspelt SKILL.md',
      { 'a/Skill.md': skillText('a') },
      /a\/Skill\.md must be a file with the name SKILL\.md/,
    ],
    ['a folder in place of SKILL.md', { 'a/SKILL.md/x': 'x' }, /must be a file with the name/],
    ['no skill at all', { 'a/README.md': 'x' }, /there are no skills/],
    ['a name with a backslash', { 'a/SKILL.md': skillText('a'), 'a/b\\c': 'x' }, /backslash/],
  ])('refuses to start with %s', (_, files, message) => {
    shows(
      'ext-skills/skills/agent-skills',
      'ext-skills/skills/has-frontmatter',
      'ext-skills/skills/has-skill-md',
      'ext-skills/skills/name-is-last-segment',
      'ext-skills/skills/name-rules',
    );
    const root = folderWith(files);
    expect(() => skills({ from: directory(root) })).toThrow(message);
  });

  it('serves the other skills when one is invalid, and reports each problem once', async () => {
    const errors: unknown[] = [];
    const root = folderWith({
      ...refunds,
      'a/SKILL.md': '# no frontmatter\n',
      'b/Skill.md': skillText('b'),
      'c/SKILL.md': skillText('c'),
    });
    symlinkSync(join(root, 'refunds'), join(root, 'linked'));
    symlinkSync(join(root, 'refunds/SKILL.md'), join(root, 'c', 'link.md'));
    const { client } = await served(skills({ from: directory(root) }), {
      server: { onError: (error, where) => errors.push(`${where}: ${error}`) },
    });
    for (let call = 0; call < 2; call++)
      expect(skillsIn(await client.request(listSkills, {})).map((one) => one.uri)).toEqual([uri]);
    expect(errors.sort()).toEqual([
      expect.stringContaining('a/SKILL.md: it does not begin with'),
      expect.stringContaining('b/Skill.md must be a file with the name SKILL.md'),
      expect.stringContaining('c/link.md is a symbolic link'),
      expect.stringContaining('linked is a symbolic link'),
    ]);
  });

  it('serves a skill with a byte order mark in its SKILL.md, as it is', async () => {
    const text = `\uFEFF${skillText('refunds')}`;
    const { client } = await served(skills({ from: directory(folderWith({ 'refunds/SKILL.md': text })) }));
    const [skill] = skillsIn(await client.request(listSkills, {}));
    expect(skill?.resources).toEqual([{ uri, digest: digest(text), size: Buffer.byteLength(text) }]);
    expect((await client.readResource(uri)).contents).toMatchObject([{ text }]);
  });

  it('refuses a skill of 10,000 files, and one of more than 16 MiB', () => {
    shows('ext-skills/skills/limits-kept');
    const many = folderWith({ 'a/SKILL.md': skillText('a') });
    for (let file = 0; file < 10_000; file++) writeFileSync(join(many, 'a', `f${file}`), '');
    expect(() => directory(many)).toThrow(/more than 10000 names/);
    const some = folderWith({ 'a/SKILL.md': skillText('a') });
    for (let file = 0; file < 512; file++) writeFileSync(join(some, 'a', `f${file}`), '');
    expect(() => directory(some)).toThrow(/at most 512 files/);
    const big = folderWith({ 'a/SKILL.md': skillText('a'), 'a/big.bin': new Uint8Array(16 * 1024 * 1024) });
    expect(() => directory(big)).toThrow(/has more than the \d+ bytes/);
  });

  it('refuses too many skills', () => {
    const root = folderWith({ 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') });
    expect(() => directory(root, otherBounds({ maxSkills: 1 }))).toThrow(/more than 1 skills/);
  });

  it('refuses symbolic links to files, to folders and in circles, and named pipes', () => {
    const secret = folderWith({ 'secret.txt': 'secret' });
    for (const [name, target] of [
      ['link.txt', join(secret, 'secret.txt')],
      ['folder', secret],
      ['circle', '..'],
    ] as const) {
      const root = folderWith(refunds);
      symlinkSync(target, join(root, 'refunds', name));
      expect(() => directory(root)).toThrow(/is a symbolic link/);
    }
    const root = folderWith(refunds);
    execFileSync('mkfifo', [join(root, 'refunds', 'pipe')]);
    expect(() => directory(root)).toThrow(/neither a file nor a folder/);
  });

  it('serves a changed file only after its entry has the new digest', async () => {
    const root = folderWith(refunds);
    const { client } = await served(skills({ from: directory(root) }));
    const entry = async () => (await client.request(getSkill, { uri })).skill as Skill;
    const before = await entry();
    write(root, { 'refunds/references/guide.md': 'Changed.\n' });
    expect(await entry()).toEqual(before);
    const { contents } = await client.readResource('skill://refunds/references/guide.md');
    expect(contents).toMatchObject([{ text: 'Changed.\n' }]);
    expect((await entry()).resources).toContainEqual({
      uri: 'skill://refunds/references/guide.md',
      digest: digest('Changed.\n'),
      size: 9,
    });
  });

  it('serves no file that was replaced by a symbolic link, or is below one', async () => {
    const secret = folderWith({ 'guide.md': 'secret' });
    const errors: unknown[] = [];
    const root = folderWith(refunds);
    const { client } = await served(skills({ from: directory(root) }), {
      server: { onError: (error) => errors.push(error) },
    });
    await client.request(listSkills, {});
    rmSync(join(root, 'refunds/references'), { recursive: true });
    symlinkSync(secret, join(root, 'refunds/references'));
    await expect(client.readResource('skill://refunds/references/guide.md')).rejects.toMatchObject({
      code: ErrorCode.internalError,
    });
    expect(String(errors)).toContain('is a symbolic link');
  });

  it('serves no file below a symbolic link, though its content is the same', async () => {
    const copy = folderWith({ 'guide.md': guide });
    const root = folderWith(refunds);
    const { client } = await served(skills({ from: directory(root) }), { server: { onError: () => {} } });
    rmSync(join(root, 'refunds/references'), { recursive: true });
    symlinkSync(copy, join(root, 'refunds/references'));
    await expect(client.readResource('skill://refunds/references/guide.md')).rejects.toMatchObject({
      code: ErrorCode.internalError,
    });
  });

  it('reports a file that is gone as not found, and removes it from the entry', async () => {
    const root = folderWith(refunds);
    const { client } = await served(skills({ from: directory(root) }));
    rmSync(join(root, 'refunds/references'), { recursive: true });
    await expect(client.readResource('skill://refunds/references/guide.md')).rejects.toMatchObject({
      code: ErrorCode.invalidParams,
    });
    const { skill } = await client.request(getSkill, { uri });
    expect((skill as Skill).resources).toHaveLength(1);
  });

  it('keeps the entry of a skill with a SKILL.md that becomes invalid, and serves the file again when it is fixed', async () => {
    shows('ext-skills/skills/error-internal', 'ext-skills/skills/get-every-skill');
    const root = folderWith(refunds);
    const { client } = await served(skills({ from: directory(root) }), { server: { onError: () => {} } });
    write(root, { 'refunds/SKILL.md': '# no frontmatter\n' });
    await expect(client.readResource(uri)).rejects.toMatchObject({ code: ErrorCode.internalError });
    write(root, { 'refunds/SKILL.md': skillText('refunds', 'license: MIT\n') });
    await client.readResource(uri);
    const { skill } = await client.request(getSkill, { uri });
    expect(skill).toMatchObject({ frontmatter: { license: 'MIT' } });
  });

  it.each([
    'skill://refunds/../refunds/SKILL.md',
    'skill://refunds/%2e%2e/x',
    'skill://refunds/references/../SKILL.md',
    'skill:///etc/passwd',
  ])('does not serve %s', async (path) => {
    shows('ext-skills/skills/error-read', 'ext-skills/skills/get-unknown');
    const { client } = await served(skills({ from: directory(folderWith(refunds)) }));
    await expect(client.readResource(path)).rejects.toMatchObject({ code: ErrorCode.invalidParams });
    await expect(client.request(getSkill, { uri: path })).rejects.toMatchObject({
      code: ErrorCode.invalidParams,
    });
  });

  it('reads the folder again after a change while it is watched, and notifies clients', async () => {
    const clock = new FakeClock();
    const root = folderWith(refunds);
    const errors: unknown[] = [];
    const { client } = await served(skills({ from: directory(root, { watch: true }) }), {
      server: { clock, onError: (error) => errors.push(error) },
    });
    let listener: (() => void) | undefined;
    const changed = () =>
      new Promise<void>((resolve) => {
        listener = resolve;
      });
    await client.watch({ resources: true }, () => listener?.());
    const added = changed();
    const armed = clock.armed(100);
    mkdirSync(join(root, 'invoices'));
    write(root, { 'invoices/SKILL.md': skillText('invoices') });
    await armed;
    await clock.advance(100);
    await added;
    expect(skillsIn(await client.request(listSkills, {})).map((one) => one.frontmatter.name)).toEqual([
      'invoices',
      'refunds',
    ]);
    const removed = changed();
    const again = clock.armed(100);
    write(root, { 'broken/SKILL.md': '# broken\n' });
    rmSync(join(root, 'invoices'), { recursive: true });
    await again;
    await clock.advance(100);
    await removed;
    expect(String(errors)).toContain('broken/SKILL.md');
    expect(skillsIn(await client.request(listSkills, {}))).toHaveLength(1);
  });
});
