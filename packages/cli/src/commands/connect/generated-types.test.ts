import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RunOutcome, runTenon } from '../../../test/run-tenon.js';

let server: Server;
let serving: HttpServing;
let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tenon-types-'));
  const made = createServer({ name: 'shop', version: '1.0.0' }).tool(
    'greet',
    { input: z.object({ name: z.string() }) },
    () => 'hello',
  );
  server = made as unknown as Server;
  serving = await serveHttp(server);
});

afterEach(async () => {
  await serving.close();
  await server.close();
  await rm(cwd, { recursive: true });
});

const types = (...words: readonly string[]): Promise<RunOutcome> =>
  runTenon(['types', serving.url, ...words], { cwd });
const written = () => readFile(join(cwd, 'server.d.ts'), 'utf8');

describe('tenon types', () => {
  it('prints the module', async () => {
    const { code, stdout } = await types();
    expect(code).toBe(0);
    expect(stdout).toContain('export type GreetInput = {\n  name: string;\n};');
  });

  it('writes a file, and the same bytes when it runs again', async () => {
    expect(await types('--output', 'server.d.ts')).toMatchObject({
      code: 0,
      stdout: 'server.d.ts: 1 tool and 0 prompts\n',
    });
    const first = await written();
    expect((await types('--output', 'server.d.ts')).stdout).toContain('up to date');
    expect(await written()).toBe(first);
  });

  it('replaces its own file when the server has changed', async () => {
    await types('--output', 'server.d.ts');
    server.tool('add', {}, () => '2');
    expect((await types('--output', 'server.d.ts')).code).toBe(0);
    expect(await written()).toContain('add: {');
  });

  it('does not replace another file without --force', async () => {
    await writeFile(join(cwd, 'server.d.ts'), 'export {};\n');
    const { code, stderr } = await types('--output', 'server.d.ts');
    expect(code).toBe(1);
    expect(stderr).toContain('--force');
    expect(await written()).toBe('export {};\n');
    expect((await types('--output', 'server.d.ts', '--force')).code).toBe(0);
  });

  it('exits with 6 when the file is out of date, and does not write it', async () => {
    expect((await types('--output', 'server.d.ts', '--check')).stderr).toContain('does not exist');
    await types('--output', 'server.d.ts');
    expect((await types('--output', 'server.d.ts', '--check')).code).toBe(0);
    server.tool('add', {}, () => '2');
    const { code, stderr } = await types('--output', 'server.d.ts', '--check');
    expect(code).toBe(6);
    expect(stderr).toContain('out of date');
    expect(await written()).not.toContain('add: {');
  });

  it('writes no secrets into the header', async () => {
    const words = ['types', `${serving.url}?key=secret-1`, '--header', 'authorization: Bearer secret-2'];
    const { stdout } = await runTenon([...words, '--output', 'server.d.ts'], { cwd });
    expect(stdout).toContain('server.d.ts');
    expect(await written()).not.toContain('secret');
    expect(await written()).toContain(`// Command: tenon types ${serving.url} --output server.d.ts\n`);
  });

  it('rejects --check without a file', async () => {
    expect(await types('--check')).toMatchObject({ code: 1, stderr: expect.stringContaining('--output') });
  });
});
