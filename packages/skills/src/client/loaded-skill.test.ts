import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { connected } from '../../test/connected.js';
import { skillText } from '../../test/folder.js';
import { entryOf } from '../../test/hostile-server.js';
import type { Skill } from '../skill/skill.js';

const uri = 'skill://refunds/SKILL.md';
const guide = 'skill://refunds/references/guide.md';
const text = skillText('refunds');
const files = { [uri]: text, [guide]: 'Read me.\n' };
const reason = (name: string) => expect.objectContaining({ name: 'SkillError', reason: name });

describe('a loaded skill', () => {
  it.each([
    'references/other.md',
    '../other/SKILL.md',
    'references/../../other/SKILL.md',
    'references/%2e%2e/SKILL.md',
    '/etc/passwd',
    'skill://other/SKILL.md',
    'skill://refunds/references/guide.md?x',
    'file:///etc/passwd',
    '',
    '.',
  ])('does not read %j, which its entry does not list', async (path) => {
    shows('ext-skills/skills/held-entry-only', 'ext-skills/skills/unlisted-fails');
    const entry = await entryOf(uri, files);
    const other = { 'skill://other/SKILL.md': 'x', 'skill://refunds/references/other.md': 'x' };
    const { used, reads } = await connected({ files: { ...files, ...other } });
    const skill = await used.load(entry);
    await expect(skill.read(path)).rejects.toEqual(reason('unlisted'));
    expect(reads).toEqual([uri]);
  });

  it('reports a file that has changed as a changed skill, and keeps its own entry', async () => {
    shows(
      'ext-skills/skills/change-presented',
      'ext-skills/skills/read-verified',
      'ext-skills/skills/unverified-unused',
    );
    let now = files;
    const entry = await entryOf(uri, files);
    const { used } = await connected({
      get: () => ({ skill: after }),
      files: { [uri]: () => now[uri], [guide]: () => now[guide] },
    });
    now = { ...files, [guide]: 'New text\n' };
    const after = await entryOf(uri, now);
    const skill = await used.load(entry);
    await expect(skill.read('references/guide.md')).rejects.toMatchObject({
      reason: 'changed',
      current: after,
    });
    expect(await skill.refresh()).toMatchObject({
      isChanged: true,
      replaced: [guide],
      added: [],
      removed: [],
    });
    expect(skill.entry).toEqual(entry);
  });

  it('tells the files that were added and removed', async () => {
    shows(
      'ext-skills/skills/directory-extends-nothing',
      'ext-skills/skills/held-entry-only',
      'ext-skills/skills/new-child-not-shown',
      'ext-skills/skills/new-child-unread',
    );
    const entry = await entryOf(uri, files);
    const more = 'skill://refunds/more.md';
    const after = await entryOf(uri, { [uri]: text, [more]: 'x' });
    const { used } = await connected({ get: () => ({ skill: after }), files: { ...files, [more]: 'x' } });
    const skill = await used.load(entry);
    await expect(skill.read('more.md')).rejects.toEqual(reason('unlisted'));
    expect(await skill.refresh()).toMatchObject({
      isChanged: true,
      added: [more],
      removed: [guide],
      replaced: [],
    });
  });

  it('is not read after its release', async () => {
    const { used } = await connected({ files });
    const skill = await used.load(await entryOf(uri, files));
    skill.release();
    await expect(skill.read('references/guide.md')).rejects.toEqual(reason('released'));
  });

  it('reads a file for one caller although another caller has cancelled the same read', async () => {
    let answer: (() => void) | undefined;
    const opened = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow = async () => {
      await opened;
      return files[guide];
    };
    const { used } = await connected({ files: { ...files, [guide]: slow } });
    const skill = await used.load(await entryOf(uri, files));
    const controller = new AbortController();
    const cancelled = skill.read('references/guide.md', { signal: controller.signal });
    const other = skill.read('references/guide.md');
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ reason: 'cancelled' });
    answer?.();
    expect((await other).text).toBe('Read me.\n');
  });

  it('returns bytes that its readers may change', async () => {
    const { used } = await connected({ files });
    const skill = await used.load(await entryOf(uri, files));
    (await skill.read('references/guide.md')).bytes.fill(0);
    expect(new TextDecoder().decode((await skill.read('references/guide.md')).bytes)).toBe('Read me.\n');
  });
});

describe('a dynamic skill', () => {
  const entry: Skill = {
    uri,
    frontmatter: { name: 'refunds', description: 'How to use refunds' },
    resources: 'dynamic',
  };

  it('is declined unless allowDynamic is set', async () => {
    shows('ext-skills/skills/dynamic-declined');
    const { used, reads } = await connected({ files });
    await expect(used.load(entry)).rejects.toEqual(reason('dynamic'));
    expect(reads).toEqual([]);
  });

  it('is loaded with allowDynamic, verified by its frontmatter, and reads only inside its folder', async () => {
    const { used, reads } = await connected({ files, get: () => ({ skill: entry }) }, { allowDynamic: true });
    const skill = await used.load(uri);
    expect(skill.paths).toBeUndefined();
    expect((await skill.read('references/guide.md')).text).toBe('Read me.\n');
    await expect(skill.read('../other/SKILL.md')).rejects.toEqual(reason('unlisted'));
    await expect(used.load({ ...entry, frontmatter: { ...entry.frontmatter, x: 1 } })).rejects.toEqual(
      reason('frontmatter'),
    );
    expect((await skill.refresh()).isChanged).toBe(true);
    expect(reads).toEqual([uri, guide, uri]);
  });

  it('stops at the limit of bytes', async () => {
    shows('ext-skills/skills/dynamic-limit');
    const big = 'x'.repeat(6 * 1024 * 1024);
    const { used } = await connected({ files: { [uri]: text, [guide]: () => big } }, { allowDynamic: true });
    const skill = await used.load(entry);
    await skill.read('references/guide.md');
    await skill.read('references/guide.md');
    await expect(skill.read('references/guide.md')).rejects.toEqual(reason('too-large'));
  });
});
