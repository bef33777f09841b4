import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';

describe('tenon dev', () => {
  it('prints help that fits a screen', async () => {
    const { code, stdout } = await runTenon(['dev', '--help']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    ['no file', [], 'No server is named.'],
    ['a file that does not exist', ['no.ts'], 'There is no file no.ts.'],
    ['a port that is none', ['no.ts', '--port', '70000'], 'A port is a number from 0 to 65535'],
    ['a command over HTTP', ['--', 'python', 'server.py'], 'A command can only be served over stdio.'],
    ['--quiet with --json', ['no.ts', '--quiet', '--json'], 'cannot be used with'],
  ])('exits with 1 for %s', async (_, words, text) => {
    const { code, stderr } = await runTenon(['dev', ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
  });

  it('exits with 1 for a file of variables that cannot be read', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'tenon-cli-dev-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    await writeFile(join(cwd, 'server.js'), '');
    const { code, stderr } = await runTenon(['dev', 'server.js', '--env-file', 'no.env'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('no.env');
  });
});
