import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tenon-guard-'));
const run = 'stdio-client-session';

/** @param {string[]} args */
function guard(...args) {
  const given = [main, '--only', run, '--budgets', folder, ...args];
  return spawnSync(process.execPath, given, { encoding: 'utf8' });
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('pnpm guard', () => {
  it('fails without a budget, writes one with --update, and compares with it', () => {
    const first = guard();
    expect(first).toMatchObject({ status: 1, stderr: '' });
    expect(first.stdout).toContain(`No budget yet for all counts of ${run}`);
    const update = guard('--update');
    expect(update.status).toBe(0);
    expect(update.stdout).toContain(`${run}: JSON.parse calls new -> 1`);
    expect(guard()).toMatchObject({ status: 0, stderr: '' });
  });

  it('exits with 1 when a count is over its budget', () => {
    const file = join(folder, 'budgets.json');
    const budgets = JSON.parse(readFileSync(file, 'utf8'));
    budgets.runs[run].stringify = 0;
    writeFileSync(file, JSON.stringify(budgets));
    const { status, stdout } = guard();
    expect(status).toBe(1);
    expect(stdout).toContain(`${run}: JSON.stringify calls: 1 per request; the budget is 0.`);
  });

  it('exits with 2 when --only names an unknown run', () => {
    expect(guard('--only', 'nonsense')).toMatchObject({ status: 2, stdout: '' });
  });
});
