import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const pathOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const guide = pathOf('docs/guide/tools/call.md');

/** Runs a line of a shell in a folder, where `tenon` is the built program. Returns all that it prints. */
function run(line: string, cwd: string): Promise<string> {
  const shell = `tenon() { '${process.execPath}' '${pathOf('packages/cli/dist/main.js')}' "$@"; }\n${line} 2>&1`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', shell], { cwd, env: { PATH: process.env.PATH, COLUMNS: '80' } }, (_, stdout) =>
      resolve(stdout),
    );
  });
}

it('prints what the guide says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-guide-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const text = await readFile(guide, 'utf8');
  const server = pathOf('examples/dist/tools/tea.js');
  await writeFile(join(folder, 'tea.js'), `import ${JSON.stringify(server)};\n`);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const answers = /```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  await writeFile(join(folder, 'answers.json'), answers);
  const examples = [...text.matchAll(/```sh\n(.*)\n```\n\n```text\n([\s\S]*?)\n```/g)];
  expect(examples.length).toBeGreaterThan(8);
  const printed = await Promise.all(examples.map(([, line = '']) => run(line, folder)));
  expect(printed.map((output) => output.trimEnd())).toEqual(examples.map(([, , output]) => output));
});
