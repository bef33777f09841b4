import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { otherBounds } from '@tenon/foundation';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { hostedSkills, skilled, skillText } from '../../../test/skilled.js';
import type { Policy } from '../../index.js';
import { skillCache } from '../node.js';
import { foldersOf } from './cache-layout.js';

const uri = 'skill://refunds/SKILL.md';
const guide = 'skill://refunds/references/guide.md';
const refunds = { [uri]: skillText('refunds'), [guide]: 'Read me.\n' };
const place = { server: 'docs', uri };
const allow: { readonly policy: Policy } = { policy: () => 'allow' };

function folder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-cache-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** The files below a folder, by their paths. */
function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort();
}

describe('skillCache', () => {
  it('keeps what was read, and nothing else, for the next host, as content of its server', async () => {
    shows('ext-skills/skills/cache-local', 'ext-skills/skills/cache-origin');
    const root = folder();
    const docs = skilled(refunds, { tools: ['run'] });
    const first = hostedSkills({ docs }, { ...allow, skills: { cache: skillCache(root) } });
    await first.skills.list();
    expect(filesIn(root)).toEqual([]);
    await first.skills.load(place);
    expect(filesIn(root)).toHaveLength(1);
    await (await first.skills.load(place)).read('references/guide.md');
    expect(docs.reads).toEqual([uri, guide]);
    await first.host.close();

    const next = hostedSkills({ docs }, { ...allow, answer: 'no', skills: { cache: skillCache(root) } });
    const skill = await next.skills.load(place);
    const file = await skill.read('references/guide.md');
    expect(docs.reads).toEqual([uri, guide]);
    expect(skill.content).toMatch(/^\[skill content \w+: server="docs" uri="skill:.*untrusted/);
    expect(file).toMatchObject({ text: 'Read me.\n', content: expect.stringContaining('untrusted') });
    await expect(next.host.callTool('docs__run')).rejects.toMatchObject({ reason: 'denied' });
  });

  it('has a folder for each server, from which the server can be read, private to the user', async () => {
    shows('ext-skills/skills/paths-by-server');
    const root = folder();
    const [docs, shop] = [
      skilled(refunds),
      skilled({ ...refunds, [uri]: skillText('refunds', {}, 'Other.\n') }),
    ];
    const { skills } = hostedSkills(
      { docs, '../Shop ü': shop },
      { ...allow, skills: { cache: skillCache(root) } },
    );
    await skills.load(place);
    const other = await skills.load({ server: '../Shop ü', uri });
    expect(other.content).toContain('Other.');
    const files = filesIn(root);
    expect(files.map((file) => relative(root, file).split(/[\\/]/)[0])).toEqual([
      'server-%2e%2e%2f%53hop%20%c3%bc',
      'server-docs',
    ]);
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      for (let above = join(file, '..'); above !== root; above = join(above, '..'))
        expect(statSync(above).mode & 0o777).toBe(0o700);
    }
  });

  it('does not give one user the files of another, if each has connections of their own', async () => {
    const root = folder();
    const docs = skilled(refunds);
    const vault = { credentialsFor: () => ({}) };
    const { skills } = hostedSkills({ docs }, { ...allow, vault, skills: { cache: skillCache(root) } });
    for (const user of ['ada', 'bob', 'ada']) await skills.load(place, { user });
    expect(docs.reads).toEqual([uri, uri]);
  });

  it.each<[string, (file: string) => void]>([
    [
      'has other bytes of the same length',
      (file) => rewrite(file, (content) => content.replace('How', 'Now')),
    ],
    ['has more bytes', (file) => rewrite(file, (content) => `${content} more`)],
    [
      'is of another server',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"docs"', '"shop"')),
    ],
    ['is not JSON', (file) => writeFileSync(file, 'no')],
    ['is an empty list', (file) => writeFileSync(file, '[]')],
    [
      'can be read by others',
      (file) => {
        const text = readFileSync(file);
        rmSync(file);
        writeFileSync(file, text, { mode: 0o644 });
      },
    ],
    [
      'is a symbolic link',
      (file) => {
        const target = join(folder(), 'x');
        writeFileSync(target, readFileSync(file), { mode: 0o600 });
        rmSync(file);
        symlinkSync(target, file);
      },
    ],
  ])('reads a file again that %s', async (_, damage) => {
    shows('ext-skills/skills/cache-integrity');
    const root = folder();
    const docs = skilled(refunds);
    const { skills } = hostedSkills({ docs }, { ...allow, skills: { cache: skillCache(root) } });
    await skills.load(place);
    const [file = ''] = filesIn(root);
    const before = readFileSync(file, 'utf8');
    damage(file);
    expect((await skills.load(place)).content).toContain('# refunds');
    expect(docs.reads).toEqual([uri, uri]);
    expect(filesIn(root)).toEqual([file]);
    expect(readFileSync(file, 'utf8')).toBe(before);
    await skills.load(place);
    expect(docs.reads).toHaveLength(2);
  });

  it('reads a file again after the server has changed it, and keeps the new one', async () => {
    const root = folder();
    const docs = skilled(refunds);
    const { skills } = hostedSkills({ docs }, { ...allow, skills: { cache: skillCache(root) } });
    await skills.load(place);
    docs.files = { ...refunds, [uri]: skillText('refunds', {}, 'New.\n') };
    expect((await skills.load(place)).content).toContain('New.');
    expect((await skills.load(place)).content).toContain('New.');
    expect(docs.reads).toEqual([uri, uri]);
    expect(filesIn(root)).toHaveLength(1);
  });

  it('deletes the files of a server that is removed, and of no other', async () => {
    shows('ext-skills/skills/cache-removed');
    const root = folder();
    const long = 'd'.repeat(128);
    const servers = { docs: skilled(refunds), docs2: skilled(refunds), [long]: skilled(refunds) };
    const cache = skillCache(root);
    const { host, skills, errors } = hostedSkills(servers, { ...allow, skills: { cache } });
    for (const server of Object.keys(servers)) await skills.load({ server, uri });
    await host.servers.remove('docs');
    await cache.remove('of no server');
    expect(filesIn(root).map((file) => relative(root, file).split(/[\\/]/)[0])).toEqual([
      `server-${long}`,
      'server-docs2',
    ]);
    expect(errors).toEqual([]);
  });

  it('deletes the files used longest ago when there are more, or more bytes, than its bounds', async () => {
    const files = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [
        `skill://${name}/SKILL.md`,
        skillText(name, {}, 'x'.repeat(3_000)),
      ]),
    );
    for (const bounds of [otherBounds({ files: 2 }), { bytes: 10_000 }]) {
      const docs = skilled(files);
      const root = folder();
      const { skills } = hostedSkills({ docs }, { ...allow, skills: { cache: skillCache(root, bounds) } });
      const load = async (names: string) => {
        for (const name of names) await skills.load({ server: 'docs', uri: `skill://${name}/SKILL.md` });
      };
      await load('abac');
      expect(filesIn(root)).toHaveLength(2);
      await load('ac');
      expect(docs.reads).toHaveLength(3);
      // Another process finds the files that are there.
      const later = hostedSkills({ docs }, { ...allow, skills: { cache: skillCache(root, bounds) } });
      await later.skills.load({ server: 'docs', uri: 'skill://d/SKILL.md' });
      expect(filesIn(root)).toHaveLength(2);
    }
  });

  it('never deletes or counts files and folders that it did not make, also in its own folders', async () => {
    const root = folder();
    const hash = '0'.repeat(64);
    const foreign = [
      'notes.txt',
      `${hash}.json`,
      `all-users/${hash}.json`,
      `server-docs/${hash}.json`,
      'server-docs/all-users/notes.json',
      `server-docs/all-users/backup/${hash}.json`,
      `server-docs/user-x/${hash}.json`,
      `server-docs+/all-users/${hash}.json`,
      `server-DOCS/all-users/${hash}.json`,
      'photos/2024/one.jpg',
    ].map((path) => join(root, path));
    for (const path of foreign) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, 'x'.repeat(5_000), { mode: 0o600 });
    }
    mkdirSync(join(root, 'server-docs/empty'));
    const docs = skilled({ ...refunds, 'skill://git/SKILL.md': skillText('git') });
    const cache = skillCache(root, { bytes: 2_000, ...otherBounds({ files: 1 }) });
    const { host, skills, errors } = hostedSkills({ docs }, { ...allow, skills: { cache } });
    await skills.load(place);
    await skills.load({ server: 'docs', uri: 'skill://git/SKILL.md' });
    expect(filesIn(root)).toHaveLength(foreign.length + 1);
    await host.servers.remove('docs');
    expect(filesIn(root)).toEqual(foreign.sort());
    expect(existsSync(join(root, 'server-docs/empty'))).toBe(true);
    expect(errors).toEqual([]);
  });

  it('deletes temporary files and empty folders of a server that is removed', async () => {
    const root = folder();
    const cache = skillCache(root);
    const { host, skills } = hostedSkills({ docs: skilled(refunds) }, { ...allow, skills: { cache } });
    await skills.load(place);
    const [file = ''] = filesIn(root);
    writeFileSync(`${file}.${'0'.repeat(16)}.tmp`, 'cut off');
    await host.servers.remove('docs');
    expect(readdirSync(root)).toEqual([]);
  });

  it('loads skills although nothing can be written, and reports it', async () => {
    const root = folder();
    writeFileSync(join(root, 'server-docs'), 'in the way');
    const docs = skilled(refunds);
    const { skills, errors } = hostedSkills({ docs }, { ...allow, skills: { cache: skillCache(root) } });
    expect((await skills.load(place)).content).toContain('# refunds');
    expect(errors.length).toBeGreaterThan(0);
  });
});

describe('the place of a cache', () => {
  it('is refused inside of a skill, beside skills, around skills and where programs look for them', () => {
    shows('ext-skills/skills/cache-place');
    const root = folder();
    mkdirSync(join(root, 'mine/refunds/references'), { recursive: true });
    writeFileSync(join(root, 'mine/refunds/SKILL.md'), refunds[uri] ?? '');
    mkdirSync(join(root, 'listed'));
    symlinkSync(join(root, 'listed'), join(root, 'linked'));
    const skillFolders = [join(root, 'listed')];
    for (const wrong of [
      'mine/refunds',
      'mine/refunds/references/cache',
      'mine/cache',
      'mine',
      'listed',
      'listed/a/b',
      'linked/cache',
      '.',
      '.claude/skills/cache',
      'project/.agents/skills',
    ])
      expect(() => skillCache(join(root, wrong), { skillFolders }), wrong).toThrow(
        /cannot be a cache of skills/,
      );
    for (const right of ['cache', 'listed-too', 'cache/skills'])
      expect(() => skillCache(join(root, right), { skillFolders })).not.toThrow();
    expect(existsSync(join(root, 'cache'))).toBe(false);
  });

  it('is another folder for every server, also where upper and lower case are one', () => {
    const long = 'é'.repeat(128);
    const names = ['a', 'A', '%41', '..', '.', 'a/b', 'a\\b', 'CON', long, long.slice(1), 'a'.repeat(128)];
    const paths = names.map((name) => foldersOf(name).join('/').toLowerCase());
    expect(new Set(paths).size).toBe(names.length);
    for (const path of paths) {
      expect(path).toMatch(/^server-[a-z0-9%_+/-]+$/);
      for (const other of paths) if (other !== path) expect(other.startsWith(`${path}/`)).toBe(false);
    }
  });
});

function rewrite(file: string, change: (content: string) => string): void {
  const value = JSON.parse(readFileSync(file, 'utf8'));
  const content = change(Buffer.from(value.data, 'base64').toString());
  writeFileSync(file, JSON.stringify({ ...value, data: Buffer.from(content).toString('base64') }));
}
