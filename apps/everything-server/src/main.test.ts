import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

function run(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', input: '' });
}

describe('the command line', () => {
  it('shows help', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: node apps/everything-server/dist/main.js --stdio');
  });

  it('ends with its input', () => {
    expect(run('--stdio')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it.each([
    { args: [], message: 'Say how to be reached: --stdio' },
    { args: ['--stdio', '--loud'], message: "Unknown option '--loud'" },
    { args: ['--stdio', 'now'], message: "Unexpected argument 'now'" },
    { args: ['--stdio', '--page-size', '0'], message: '--page-size must be a positive whole number' },
  ])('refuses $args', ({ args, message }) => {
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`everything-server: ${message}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
