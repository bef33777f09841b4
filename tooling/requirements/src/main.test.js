import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.js', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tenon-requirements-'));

/** @param {string[]} args */
function requirements(...args) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 });
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('pnpm requirements', () => {
  it('checks a report, and fails for requirements without a test', () => {
    const report = join(folder, 'report.json');
    writeFileSync(report, JSON.stringify({ testResults: [] }));
    const { status, stdout, stderr } = requirements(
      '--results',
      report,
      '--document',
      'draft-tools',
      '--open',
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^document +level +rows/);
    expect(stdout).toMatch(/^draft-tools +all/m);
    expect(stdout).not.toMatch(/^2026-07-28 /m);
    expect(stdout).toMatch(/^host: \d+$/m);
    expect(stdout).toContain('draft-tools/tools/declare-capability: ');
    expect(stderr).toMatch(/^requirements: \d+ to fix$/m);
  });

  it('prints the same as JSON, from several reports', () => {
    const [report, other] = [join(folder, 'empty.json'), join(folder, 'failed.json')];
    const name = join(root, 'tooling/requirements/src/matrix/unknown.test.ts');
    writeFileSync(report, JSON.stringify({ testResults: [] }));
    writeFileSync(other, JSON.stringify({ testResults: [{ name, status: 'failed', assertionResults: [] }] }));
    const { stdout } = requirements('--results', report, '--results', other, '--json');
    const { counts, complaints, rows } = JSON.parse(stdout);
    expect(counts.at(-1)).toMatchObject({ document: 'all', level: 'all', by: { rows: rows.length } });
    expect(complaints.length).toBeGreaterThan(0);
  });

  it('prints its help, and rejects unknown options', () => {
    expect(requirements('--help')).toMatchObject({ status: 0, stderr: '' });
    const unknown = requirements('--document', 'draft');
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain('Unknown document draft. Use one of: 2024-11-05,');
    expect(requirements('--everything').status).toBe(2);
  });
});
