import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apps } from '@tenon/mcp-apps/server';
import { createServer } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';

const html = '<!doctype html><title>Chart</title>';
let serving: HttpServing;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-app-'));
  const csp = { connectDomains: ['https://data.example'] };
  const extension = apps().app('chart', { html, csp, permissions: ['camera'] });
  const server = createServer({ name: 'charts', version: '1.0.0' }, { extensions: [extension] })
    .tool('draw', { ui: 'chart' }, () => 'drawn')
    .tool('plain', {}, () => 'plain');
  serving = await serveHttp(server, { port: 0 });
});

afterAll(async () => {
  await serving.close();
  await rm(folder, { recursive: true });
});

const app = (...words: string[]) => runTenon(['app', serving.url, ...words]);

describe('tenon app', () => {
  it('lists the tools that have an app', async () => {
    expect(await app()).toEqual({
      code: 0,
      stdout: 'draw  ui://chart  for model and app\n',
      stderr: '',
    });
  });

  it('prints the declarations of an app, and writes its document to a new file', async () => {
    const file = join(folder, 'chart.html');
    const { code, stdout } = await app('draw', '--output', file);
    expect(code).toBe(0);
    expect(stdout).toMatch(/permissions +camera\norigins\n {2}connectDomains +https:\/\/data\.example\n/);
    expect(await readFile(file, 'utf8')).toBe(html);
    const again = await app('draw', '--output', file);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
  });

  it('exits with 2 when the tool has no app', async () => {
    const { code, stderr } = await app('plain', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'no_app', exitCode: 2 } });
  });

  it('exits with 1 when the server has no such tool', async () => {
    const { code, stderr } = await app('drow');
    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean "draw"?');
  });
});
