import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../../../../packages/create-tenon/dist/main.js', import.meta.url));

/** Returns a folder with a command `npm` that says "installing" and then waits for ever. */
function folderWithSlowNpm(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'create-tenon-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const code = "process.stderr.write('installing\\n'); setInterval(() => {}, 1_000);";
  writeFileSync(join(folder, 'npm'), `#!${process.execPath}\n${code}\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  return folder;
}

function start(words: readonly string[], cwd: string) {
  const env = {
    ...process.env,
    PATH: `${cwd}${delimiter}${process.env.PATH}`,
    npm_config_user_agent: 'npm/11',
  };
  const child = spawn(process.execPath, [program, ...words], { cwd, env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close').then(([code]) => ({ code: Number(code), stdout, stderr }));
  return { child, closed };
}

test('create-tenon leaves a complete project when Ctrl+C interrupts the installation', async () => {
  const cwd = folderWithSlowNpm();
  const { child, closed } = start(['box', '--no-git'], cwd);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  const { code, stdout } = await closed;
  expect(code).toBe(130);
  expect(stdout).toMatch(/ {2}cd box\n {2}npm install\n {2}npm run dev\n$/);
  expect(readdirSync(cwd).sort()).toEqual(['box', 'npm']);
  expect(readdirSync(join(cwd, 'box')).sort()).toContain('package.json');
});

test('create-tenon needs no terminal, and writes the versions of this workspace', async () => {
  const cwd = folderWithSlowNpm();
  const { child, closed } = start(['box', '--no-install', '--json', '--template', 'next'], cwd);
  child.stdin.end();
  const { code, stdout, stderr } = await closed;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'box', template: 'next', installed: false });
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(cwd, 'box/package.json'), 'utf8'));
  const own: unknown = JSON.parse(readFileSync(join(program, '../../package.json'), 'utf8'));
  const range = `^${(own as { readonly version: string }).version}`;
  expect(dependencies['@tenon/mcp-server']).toBe(range);
  expect(devDependencies.tenon).toBe(range);
});
