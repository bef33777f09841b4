import { createServer } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { skills } from '@tenon/mcp-skills/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';

let serving: HttpServing;
/** Changes the files of each answer. */
let corrupt = false;

beforeAll(async () => {
  const refunds = {
    frontmatter: { name: 'refunds', description: 'How to refund an order.' },
    body: '# Refunds',
    files: { 'limits.md': 'At most 100.' },
  };
  const server = createServer(
    { name: 'shop', version: '1.0.0' },
    { extensions: [skills({ skills: [refunds] })] },
  ).use(async ({ method }, next) => {
    const result = await next();
    if (!corrupt || method !== 'resources/read') return result;
    return JSON.parse(JSON.stringify(result).replaceAll('At most 100.', 'At most 900.'));
  });
  serving = await serveHttp(server, { port: 0 });
});

afterAll(() => serving.close());

const run = (...words: string[]) => runTenon(['skills', serving.url, ...words]);

describe('tenon skills', () => {
  it('lists skills with their files', async () => {
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^skill:\/\/refunds\/SKILL\.md {2}2 files, \d+ bytes\n {2}How to refund an order\.\n$/,
    );
  });

  it('prints the SKILL.md of a skill', async () => {
    const { code, stdout } = await run('skill://refunds/SKILL.md');
    expect(code).toBe(0);
    expect(stdout).toContain('# Refunds');
  });

  it('exits with 6 when a file differs from its digest', async () => {
    expect(await run('--verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('verified') });
    corrupt = true;
    const { code, stdout, stderr } = await run('--verify', '--json');
    corrupt = false;
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject([
      { verified: false, problem: expect.stringContaining('digest') },
    ]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'findings' } });
  });
});
