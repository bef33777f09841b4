import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs a program without code generation from strings, as in many workers. Returns its output. */
function run(program: string): unknown {
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, flags, {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const prelude = `
  import { createServer } from '@tenon/mcp-server';
  import { interpreter } from '@tenon/mcp-server/interpreter';
  import { connectMemory } from '@tenon/mcp-client/memory';
  import { z } from 'zod';
  const info = { name: 'test', version: '1' };
  const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  async function outcomes(server) {
    const client = await connectMemory(server, { info });
    const outcomes = [];
    for (const args of [{ city: 'Oslo' }, { city: 5 }]) {
      outcomes.push(await client.callTool('echo', args).then((result) => result.content[0].text, (error) => error.message));
    }
    await client.close();
    return outcomes;
  }
`;

test('checks plain schemas with the interpreter', () => {
  const outcome = run(`${prelude}
    const server = createServer(info, { validator: interpreter() });
    server.tool('echo', { input: city, output: city }, ({ city }) => ({ city }));
    console.log(JSON.stringify(await outcomes(server)));
  `);
  expect(outcome).toEqual(['{"city":"Oslo"}', 'Invalid arguments for tool echo: city: must be string']);
});

test('lets zod check its own schemas', () => {
  const outcome = run(`${prelude}
    const schema = z.object({ city: z.string() });
    const server = createServer(info);
    server.tool('echo', { input: schema, output: schema }, ({ city }) => ({ city }));
    console.log(JSON.stringify(await outcomes(server)));
  `);
  expect(outcome).toEqual([
    '{"city":"Oslo"}',
    expect.stringContaining('Invalid arguments for tool echo: city: '),
  ]);
});

test('explains how to fix a missing validator', () => {
  const outcome = run(`${prelude}
    const server = createServer(info).tool('echo', { input: city }, () => 'x');
    console.log(JSON.stringify(await server.compileSchemas().then(() => 'ready', (error) => error.message)));
  `);
  expect(outcome).toContain("with interpreter from '@tenon/mcp-server/interpreter'");
});
