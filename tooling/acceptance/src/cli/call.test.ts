import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const pathOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const program = pathOf('packages/cli/dist/main.js');
const server = [process.execPath, pathOf('apps/everything-server/dist/main.js'), '--stdio'];
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-calls-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs `tenon` in a process of its own. */
function tenon(words: readonly string[], command: readonly string[] = server) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [program, ...words, '--', ...command],
      { cwd: folder },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      },
    );
  });
}

describe.each(revisions)('tenon in %s', (revision) => {
  const run = (...words: string[]) => tenon([...words, '--revision', revision]);

  it('lists and calls', async () => {
    const [list, sum] = await Promise.all([
      run('list'),
      run('call', 'test_structured_content', 'a=1', 'b=2'),
    ]);
    expect(list.stdout).toContain(`MCP ${revision} · stdio`);
    expect(JSON.parse(sum.stdout)).toEqual({ sum: 3 });
  });

  it('answers input requests from a file, where the revision has them', async () => {
    const content = { username: 'ada', email: 'ada@example.com' };
    await writeFile(join(folder, `${revision}.json`), JSON.stringify({ 'Who?': { content } }));
    const words = ['call', 'test_elicitation', 'message=Who?', '--answers', `${revision}.json`];
    const { code, stdout, stderr } = await run(...words);
    if (revision < '2025-06-18') expect(stderr).toContain('elicitation');
    else expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('"username":"ada"') });
  });
});

describe('tenon', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'reports errors, reads, gets prompts and completes in %s',
    async (revision) => {
      const run = (...words: string[]) => tenon([...words, '--revision', revision]);
      const [failure, image, text, prompt, values] = await Promise.all([
        run('call', 'test_error_handling'),
        run('call', 'test_image_content'),
        run('read', 'test://static-text'),
        run('prompt', 'test_prompt_with_arguments', 'arg1=x', 'arg2=y'),
        run('complete', 'test_prompt_with_arguments', 'arg1=pari'),
      ]);
      expect(failure).toMatchObject({ code: 5, stdout: expect.stringContaining('intentionally') });
      expect(image.stdout).toBe('[image] image/png, 70 B\n');
      expect(text.stdout).toContain('static text');
      expect(prompt.stdout).toMatch(/^user:\n.*'x'.*'y'/);
      expect(values.stdout).toBe('paris\n');
    },
  );
});

describe('tenon call', () => {
  it('runs tools as tasks', async () => {
    const { stdout } = await tenon(['call', 'greet', 'name=Ada', '--task', '--revision', '2025-11-25']);
    expect(stdout).toBe('Hello, Ada!\n');
  });

  it.each([
    ['exits before it answers', ['-e', 'process.exit(3)'], 4],
    [
      'prints no JSON',
      ['-e', 'process.stdin.once("data", () => { console.log("hello"); process.exit(0); })'],
      4,
    ],
    ['vanishes during a call', ['-e', vanishing()], 4],
  ])('exits with %3$i when the server %1$s', async (_, args, code) => {
    const outcome = await tenon(['call', 'wait', '--revision', '2025-11-25'], [process.execPath, ...args]);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(/^error: /);
  });
});

/** Returns the program of a server that exits when its tool is called. */
function vanishing(): string {
  const results = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'v', version: '1' },
    },
    'tools/list': { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] },
  };
  return `const results = ${JSON.stringify(results)};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'tools/call') process.exit(0);
  if (results[method]) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});`;
}
