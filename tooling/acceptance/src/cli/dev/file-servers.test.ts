import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { inFactory, project, tenon, toolsServer } from './dev-project.js';

const served = (text: string) =>
  text.replace(
    'export default server;',
    "import { serveHttp } from '@tenon/mcp-server/http';\nconsole.log((await serveHttp(server, { port: 1 })).url);",
  );

/** Runs `tenon` in a process of its own, in the folder of a project. */
async function run(words: readonly string[], text: string) {
  const cwd = await project({ 'server.ts': text });
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, GREETER: 'Ada', NODE_ENV: undefined };
    execFile(process.execPath, [tenon, ...words], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

describe('tenon with a TypeScript file in place of a server', () => {
  test.each([
    ['exports its server', (text: string) => text],
    ['exports a function that creates it', inFactory],
    ['serves HTTP and prints the URL', served],
  ])('lists the tools of a file that %s', async (_, written) => {
    const { code, stdout } = await run(
      ['list', 'server.ts', '--json'],
      written(toolsServer({ greet: 'one' })),
    );
    expect({ code, list: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      list: { tools: [{ name: 'greet' }] },
    });
  });

  test('calls a tool, with the variables of the user and NODE_ENV development', async () => {
    const more = "server.tool('env', {}, () => [process.env.GREETER, process.env.NODE_ENV].join(' '));";
    const outcome = await run(['call', 'server.ts.env()'], toolsServer({}, more));
    expect(outcome).toEqual({ code: 0, stdout: 'Ada development\n', stderr: '' });
  });

  test('reports the place of an error when the file does not run', async () => {
    const { code, stderr } = await run(['list', 'server.ts'], 'const broken = ;\n');
    expect(code).toBe(4);
    expect(stderr).toMatch(/server\.ts:1:\d+/);
  });

  test('names a file that does not exist', async () => {
    const { code, stderr } = await run(['list', 'src/sever.ts'], '');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: There is no file src/sever.ts.\n' });
  });
});
