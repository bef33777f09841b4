import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientEnvironment, settingsFolder } from '../clients/client-environment.js';
import { type ServerUse, TrustedServers } from './trusted-servers.js';

let root: string;
let environment: ClientEnvironment;
let path: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenon-trusted-'));
  environment = { platform: process.platform, home: root, cwd: join(root, 'work'), env: {} };
  path = join(settingsFolder(environment), 'tenon', 'trusted-servers.json');
});

afterEach(() => rm(root, { recursive: true }));

const place = (name: string) => ({ file: '/home/me/.cursor/mcp.json', name });

/** Returns a server of a project as it is used. */
function use(name: string): ServerUse {
  const server: ServerUse['server'] = {
    ...place(name),
    client: 'cursor',
    scope: 'project',
    folder: root,
    entry: { kind: 'command', command: [name], args: [], env: {} },
    inputs: [],
    isDisabled: false,
  };
  return { server, target: { command: name, args: [], env: {} }, environment, values: {} };
}

/** Returns the names of the servers in the list `answers` or `copies` of the file. */
async function stored(list: 'answers' | 'copies'): Promise<string[]> {
  const content: Record<typeof list, { name: string }[]> = JSON.parse(await readFile(path, 'utf8'));
  return content[list].map(({ name }) => name).sort();
}

/** Writes the file for the user only. */
async function write(text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600 });
}

describe('TrustedServers', () => {
  it('keeps answers and copies for other instances, in a file for the user only', async () => {
    const trusted = new TrustedServers(environment);
    await trusted.add(use('a'));
    await trusted.setCopy(place('b'), true);
    const other = new TrustedServers(environment);
    expect(await other.has(use('a'))).toBe(true);
    expect(await other.has(use('b'))).toBe(false);
    expect(await other.isForeign({ ...use('b').server, scope: 'user' })).toBe(true);
    await other.setCopy(place('b'), false);
    expect(await trusted.isForeign({ ...use('b').server, scope: 'user' })).toBe(false);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(path))).toEqual(['trusted-servers.json']);
  });

  it('creates nothing when nothing is remembered', async () => {
    const trusted = new TrustedServers(environment);
    await trusted.setCopy(place('a'), false);
    expect(await trusted.has(use('a'))).toBe(false);
    expect(await readdir(root)).toEqual([]);
  });

  it('loses no answer and no copy of several instances that change the file at once', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `s${at}`.padEnd(3, '_')).sort();
    await Promise.all(
      names.flatMap((name) => [
        new TrustedServers(environment).add(use(name)),
        new TrustedServers(environment).setCopy(place(name), true),
      ]),
    );
    expect(await stored('answers')).toEqual(names);
    expect(await stored('copies')).toEqual(names);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"format":2,"answers":[],"copies":[]}',
    '{"format":1,"answers":[]}',
    '{"format":1,"answers":[{"digest":"x"}],"copies":[]}',
    '{"format":1,"answers":[],"copies":[{"file":"/a"}]}',
  ])('rejects the content %j, and does not replace it', async (text) => {
    await write(text);
    const trusted = new TrustedServers(environment);
    const damaged = expect.objectContaining({
      name: 'ConfigError',
      message: expect.stringContaining(`${path} is damaged`),
      hint: expect.stringContaining('Move it to another place, and review the servers that you have copied'),
    });
    const { server } = use('a');
    for (const attempt of [
      () => trusted.has(use('a')),
      () => trusted.add(use('a')),
      () => trusted.isForeign({ ...server, scope: 'user' }),
      () => trusted.needsConsent({ ...server, scope: 'user' }),
      () => trusted.setCopy(place('a'), true),
      () => trusted.setCopy(place('a'), false),
    ])
      await expect(attempt()).rejects.toEqual(damaged);
    expect(await readFile(path, 'utf8')).toBe(text);
    // A server of a project needs consent whatever the file says.
    expect(await trusted.needsConsent(server)).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('rejects a file that other users can write', async () => {
    const trusted = new TrustedServers(environment);
    await trusted.add(use('a'));
    await chmod(path, 0o666);
    await expect(trusted.has(use('a'))).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('delete it and review the servers'),
    });
    await expect(trusted.add(use('b'))).rejects.toThrow('is open to other users');
    expect(await stored('answers')).toEqual(['a']);
  });

  it('rejects a copy past the most copies, and drops none', async () => {
    const copies = Array.from({ length: 1_000 }, (_, at) => place(`s${at}`));
    await write(JSON.stringify({ format: 1, answers: [], copies }));
    const trusted = new TrustedServers(environment);
    await expect(trusted.setCopy(place('more'), true)).rejects.toThrow('has 1000 copies');
    await trusted.setCopy(place('s0'), false);
    await trusted.setCopy(place('more'), true);
    expect(await stored('copies')).toHaveLength(1_000);
  });
});
