import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';
import { shop } from '../../../test/shop.js';

let serving: HttpServing;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-read-'));
  serving = await serveHttp(shop(), { port: 0 });
});
afterAll(async () => {
  await serving.close();
  await rm(folder, { recursive: true });
});

const run = (command: string, ...words: string[]) =>
  runTenon([command, serving.url, ...words], { cwd: folder });

describe('tenon read', () => {
  it('prints text exactly as it is', async () => {
    expect(await run('read', 'text://notes')).toEqual({ code: 0, stdout: 'Buy tea', stderr: '' });
  });

  it('writes bytes to a file, and shows a line for them on a terminal', async () => {
    expect(await run('read', 'img://logo', '--output', 'logo.png')).toMatchObject({ code: 0, stdout: '' });
    expect((await readFile(join(folder, 'logo.png'))).length).toBe(70);
    expect((await run('read', 'img://logo', '--output', 'logo.png')).code).toBe(1);
    const { stdout } = await runTenon(['read', serving.url, 'img://logo'], {
      tty: true,
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toBe('[image] image/png, 70 B, img://logo\n');
  });

  it('prints JSON', async () => {
    expect(JSON.parse((await run('read', 'text://notes', '--json')).stdout)).toMatchObject({
      contents: [{ uri: 'text://notes', text: 'Buy tea' }],
    });
  });

  it('exits with 1 for an unknown resource, and without a URI', async () => {
    expect(await run('read', 'text://none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no resource "text://none"'),
    });
    expect((await run('read', 'text://note')).stderr).toContain('Did you mean "text://notes"?');
    expect(await run('read')).toMatchObject({ code: 1, stderr: expect.stringContaining('No URI is given.') });
  });
});

describe('tenon prompt', () => {
  it('prints messages with their roles', async () => {
    expect(await run('prompt', 'greet', 'name=Ada')).toEqual({
      code: 0,
      stdout: 'user:\nHello Ada\n',
      stderr: '',
    });
  });

  it.each([
    [['gret'], 'Did you mean "greet"?'],
    [['greet'], 'Arguments are missing for the prompt "greet": "name".'],
    [['greet', 'nmae=x'], 'Did you mean "name"?'],
    [['greet', 'x'], '"x" is not an argument.'],
    [[], 'No prompt is named.'],
  ])('explains %j', async (words, text) => {
    expect(await run('prompt', ...words)).toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
  });
});

describe('tenon complete', () => {
  it('prints values one a line', async () => {
    expect(await run('complete', 'greet', 'name=A')).toEqual({ code: 0, stdout: 'Ada\nAlan\n', stderr: '' });
    expect(JSON.parse((await run('complete', 'greet', 'name=A', '--json')).stdout).values).toEqual([
      'Ada',
      'Alan',
    ]);
  });

  it('explains what is missing', async () => {
    expect((await run('complete', 'greet')).stderr).toContain('hint: Example: tenon complete');
  });
});
