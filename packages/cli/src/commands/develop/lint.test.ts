import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runTenon } from '../../../test/run-tenon.js';

const info = { name: 'weather', version: '1.0.0' };

function cleanServer(): Server {
  const server = createServer(info);
  server.tool(
    'get_forecast',
    {
      title: 'Forecast',
      description: 'Returns the weather forecast of a city.',
      input: z.strictObject({ city: z.string().describe('Name of the city, such as Oslo.') }),
      annotations: { readOnlyHint: true },
    },
    ({ city }) => `Sunny in ${city}`,
  );
  return server;
}

function badServer(): Server {
  const server = createServer(info);
  server.tool('get.forecast', { description: 'Forecasts.' }, () => 'Sunny');
  for (const name of ['a', 'b', 'c', 'd'])
    server.tool(name, { description: 'Returns a letter of the alphabet.' }, () => name);
  return server;
}

let serving: HttpServing | undefined;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-lint-'));
});

afterEach(async () => {
  await serving?.close();
  await rm(folder, { recursive: true });
});

async function lint(server: Server, words: readonly string[] = []) {
  serving = await serveHttp(server, { port: 0 });
  return runTenon(['lint', serving.url.toString(), ...words], { cwd: folder });
}

describe('tenon lint', () => {
  it('prints one line for a clean server', async () => {
    const { code, stdout, stderr } = await lint(cleanServer());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^weather 1\.0\.0 \(\S+\): 1 tool; about \d+ tokens; no problems \(\d+ notes: --notes\)\n$/,
    );
  });

  it('prints findings by entry, and those that many entries share once', async () => {
    const { code, stdout, stderr } = await lint(badServer());
    expect(code).toBe(0);
    expect(stderr).toBe('');
    await expect(stdout).toMatchFileSnapshot('../../../test/output/lint.txt');
  });

  it('prints the number of shared findings, and the numbers in which they differ', async () => {
    const server = cleanServer();
    for (const name of ['a', 'b', 'c', 'd']) {
      const input = z.strictObject({ one: z.string(), two: z.string() });
      const annotations = { readOnlyHint: true };
      server.tool(name, { description: 'x'.repeat(name.charCodeAt(0) - 90), input, annotations }, () => 'x');
    }
    const { stdout } = await lint(server);
    expect(stdout).toContain('4 tools, 8 findings\n  warning  parameter-description: ');
    expect(stdout).toContain('a (7), b (8), c (9), d (10)');
  });

  it('notes deprecated log messages when the server logs', async () => {
    const server = cleanServer();
    expect((await lint(server, ['--notes', '--call'])).stdout).not.toContain('deprecated-features');
    const annotations = { readOnlyHint: true };
    server.tool('count_logs', { description: 'Counts the logs of the server.', annotations }, (_, ctx) => {
      ctx.log('info', 'counted');
      return '1';
    });
    expect((await lint(server, ['--notes', '--call'])).stdout).toContain('deprecated-features');
  });

  it('exits with 6 from the chosen severity on', async () => {
    const { code, stderr } = await lint(badServer(), ['--fail-on', 'warning']);
    expect(code).toBe(6);
    expect(stderr).toMatch(/^error: The check found 0 errors and 7 warnings\.\nhint: /);
  });

  it('prints JSON, and the error as one line of JSON', async () => {
    const { code, stdout, stderr } = await lint(badServer(), ['--json', '--rule', 'name-dots=error']);
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { tools: 5 },
      findings: expect.arrayContaining([
        expect.objectContaining({ rule: 'name-dots', severity: 'error', pointer: '/name' }),
      ]),
    });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'findings', exitCode: 6 } });
  });

  it('reads rules, limits and the severity that fails from package.json and tenon.json', async () => {
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ tenon: { lint: { failOn: 'warning', rules: { 'name-dots': 'error' } } } }),
    );
    await writeFile(
      join(folder, 'tenon.json'),
      JSON.stringify({ lint: { failOn: 'error', limits: { descriptionMin: 1_000 } } }),
    );
    const { code, stdout } = await lint(badServer(), ['--format', 'json']);
    expect(code).toBe(6);
    const { findings } = JSON.parse(stdout);
    expect(findings.filter(({ rule }: { rule: string }) => rule === 'description-short')).toHaveLength(5);
  });

  it('prints annotations of GitHub with places in the source', async () => {
    await writeFile(join(folder, 'server.ts'), "\n\nserver.tool('get.forecast', {}, () => 1);\n");
    const { stdout } = await lint(badServer(), ['--format', 'github', '--source', 'server.ts']);
    expect(stdout).toContain('::warning file=server.ts,line=3,title=name-dots%3A tool get.forecast/name::');
  });

  it('calls read-only tools, and checks their results', async () => {
    const server = cleanServer();
    server.tool(
      'count_cities',
      { description: 'Counts the cities.', annotations: { readOnlyHint: true } },
      () => ({ isError: true, content: [{ type: 'text', text: 'No database' }] }),
    );
    server.tool('drop_cities', { description: 'Deletes all cities for good.' }, () => {
      throw new Error('It was called.');
    });
    await writeFile(join(folder, 'calls.json'), '{"get_forecast": [{"city": "Oslo"}]}');
    const { stdout } = await lint(server, ['--call', '--calls', 'calls.json', '--json']);
    const calls = JSON.parse(stdout).findings.filter(({ rule }: { rule: string }) =>
      rule.startsWith('call-'),
    );
    expect(calls).toEqual([
      expect.objectContaining({ rule: 'call-failed', place: { kind: 'tool', name: 'count_cities' } }),
    ]);
  });

  it('refuses to call a tool that is not read-only', async () => {
    await writeFile(join(folder, 'calls.json'), '{"a": {}}');
    const { code, stderr } = await lint(badServer(), ['--calls', 'calls.json']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/The tool "a" has no "readOnlyHint"/);
  });

  it('lists the rules without a server', async () => {
    const { code, stdout } = await runTenon(['lint', '--rules']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name-dots +warning {2}Names of tools have no dots/m);
  });

  it.each([
    ['an unknown rule', ['--rule', 'nonsense=off'], /there is no rule "nonsense"/],
    ['an unknown severity', ['--rule', 'name-dots=loud'], /must be off, info, warning or error/],
    ['an unknown limit', ['--limit', 'nonsense=1'], /there is no limit "nonsense"/],
    ['a limit that is not a number', ['--limit', 'tokens=many'], /must be a whole number/],
    ['a file of calls that is missing', ['--calls', 'missing.json'], /missing\.json cannot be read/],
    ['a source that is missing', ['--source', 'missing.ts'], /missing\.ts cannot be read/],
  ])('exits with 1 for %s', async (_, words, text) => {
    const { code, stderr } = await runTenon(['lint', 'http://127.0.0.1:1/mcp', ...words], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(text);
  });

  it.each(['package.json', 'tenon.json'])('exits with 1 when %s is not JSON', async (name) => {
    await writeFile(join(folder, name), '{"lint": ');
    const { code, stderr } = await runTenon(['lint', 'http://127.0.0.1:1/mcp'], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toContain(`${name} is not JSON`);
  });

  it.each([
    ['a rule that does not exist', { rules: { nonsense: 'off' } }, /there is no rule "nonsense"/],
    ['a setting that does not exist', { rule: {} }, /tenon\.json#lint\.rule is not a setting/],
    ['rules that are a list', { rules: [] }, /tenon\.json#lint\.rules must be an object/],
  ])('exits with 1 for a configuration with %s', async (_, config, text) => {
    await writeFile(join(folder, 'tenon.json'), JSON.stringify({ lint: config }));
    const { code, stderr } = await runTenon(['lint', 'http://127.0.0.1:1/mcp'], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(text);
  });
});
