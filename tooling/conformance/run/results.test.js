import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readResults } from './results.js';

/** @type {string} */
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'results-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const wire = { id: 'wire-schema-valid', status: 'SUCCESS', description: 'Every message is valid' };
const good = { id: 'ping', status: 'SUCCESS', description: 'Server answers a ping' };

/**
 * Writes the files that the suite writes for a scenario.
 *
 * @param {string} name
 * @param {{ checks?: object[], stdout?: string, stderr?: string }} files
 */
function leave(name, { checks, stdout, stderr }) {
  const place = join(folder, `${name}-2026-11-20T09-33-38-075Z`);
  mkdirSync(place, { recursive: true });
  if (checks !== undefined) writeFileSync(join(place, 'checks.json'), JSON.stringify(checks));
  if (stdout !== undefined) writeFileSync(join(place, 'stdout.txt'), stdout);
  if (stderr !== undefined) writeFileSync(join(place, 'stderr.txt'), stderr);
}

/** @param {readonly string[]} summary */
function logOf(...summary) {
  return [
    `Running all suite (${summary.length} scenarios) against http://localhost:3000/mcp`,
    '',
    '=== SUMMARY ===',
    ...summary,
    '',
    'Total: 1 passed, 0 failed',
    '',
    'Not scored for 2026-07-28: 1 scenario(s) run, 1 failing. These do not affect conformance.',
    '  ✗ auth/dpop (extension)',
  ].join('\n');
}

/**
 * @param {'server' | 'client'} side
 * @param {string} log
 */
function read(side, log) {
  return readResults(side, { folder, log, trouble: undefined });
}

/**
 * @param {'server' | 'client'} side
 * @param {string} log
 */
function reasons(side, log) {
  return read(side, log).outcomes.map((outcome) => outcome.reasons);
}

describe('clean scenarios', () => {
  it('returns no reason when all checks succeeded', () => {
    leave('server-ping', { checks: [good, wire] });
    expect(read('server', logOf('✓ ping: 2 passed, 0 failed'))).toEqual({
      outcomes: [{ scenario: 'ping', reasons: [], skipped: [] }],
      later: [],
      troubles: [],
    });
  });

  it('returns skipped checks without judging them', () => {
    const skipped = { id: 'directory', status: 'SKIPPED', details: { reason: 'not declared' } };
    leave('server-ping', { checks: [good, { id: 'event', status: 'INFO' }, skipped] });
    const { outcomes } = read('server', logOf('✓ ping: 1 passed, 0 failed'));
    expect(outcomes).toEqual([{ scenario: 'ping', reasons: [], skipped: ['directory: not declared'] }]);
  });
});

describe('scenarios that are not clean', () => {
  it('returns failures, and warnings that the summary omits', () => {
    const failure = { id: 'a', status: 'FAILURE', errorMessage: 'Expected 404,\n  got 200' };
    const warning = { id: 'b', status: 'WARNING', description: 'Servers SHOULD prime' };
    leave('server-ping', { checks: [good, failure, warning, warning] });
    expect(reasons('server', logOf('✗ ping: 1 passed, 1 failed'))).toEqual([
      ['FAILURE a: Expected 404, got 200', 'WARNING b: Servers SHOULD prime'],
    ]);
  });

  it('returns a reason when the scenario threw and left no checks', () => {
    leave('server-ping', {});
    const log = `Failed to run scenario ping: Error: fetch failed\n${logOf('✗ ping: 0 passed, 1 failed')}`;
    expect(reasons('server', log)).toEqual([['Failed to run scenario ping: Error: fetch failed']]);
    expect(reasons('client', logOf('✗ ping: 0 passed, 1 failed'))).toEqual([
      ['It threw, and left no checks'],
    ]);
  });

  it('returns a reason when no check ran', () => {
    leave('initialize', { checks: [], stdout: 'done\n' });
    expect(reasons('client', logOf('✓ initialize: 0 passed, 0 failed'))).toEqual([['Nothing was tested']]);
    leave('server-ping', { checks: [wire] });
    expect(reasons('server', logOf('✓ ping: 1 passed, 0 failed'))).toEqual([['Nothing was tested']]);
  });

  it('returns a reason when a required check ended as a remark', () => {
    const remark = { id: 'server-sse-disconnect-resume', status: 'INFO' };
    const others = ['server-sse-priming-event', 'server-sse-retry-field'].map((id) => ({ ...good, id }));
    leave('server-server-sse-polling', { checks: [...others, remark] });
    expect(reasons('server', logOf('✓ server-sse-polling: 2 passed, 0 failed'))).toEqual([
      ['server-sse-disconnect-resume: it was not tested'],
    ]);
  });

  it('returns a reason when the client did not print done', () => {
    leave('tools_call', { checks: [good], stdout: '', stderr: 'everything-client: no tools\n    at x\n' });
    expect(reasons('client', logOf('✓ tools_call: 1 passed, 0 failed'))).toEqual([
      ['The client did not come to its end: everything-client: no tools'],
    ]);
  });

  it('returns a reason when the log and the checks contradict each other', () => {
    leave('server-ping', { checks: [good] });
    expect(reasons('server', logOf('✓ ping: 3 passed, 0 failed'))).toEqual([
      ['The log counts 3 passed and 0 failed, which the checks do not'],
    ]);
  });
});

describe('readResults', () => {
  it('separates scenarios with names that begin alike', () => {
    leave('server-json-schema', { checks: [good] });
    leave('server-json-schema-2020-12', { checks: [] });
    const log = logOf('✓ json-schema: 1 passed, 0 failed', '✓ json-schema-2020-12: 0 passed, 0 failed');
    expect(reasons('server', log)).toEqual([[], ['Nothing was tested']]);
  });

  it('does not judge scenarios that the suite always skips', () => {
    leave('server-tasks-status-notifications', { checks: [{ id: 'a', status: 'SKIPPED' }] });
    const { outcomes, later } = read('server', logOf('✓ tasks-status-notifications: 0 passed, 0 failed'));
    expect(outcomes).toEqual([]);
    expect(later).toMatchObject([{ scenario: 'tasks-status-notifications' }]);
  });

  it.each([
    {
      log: 'Running all suite (2 scenarios) against http://localhost:3000/mcp\n',
      trouble: '2 scenarios were announced, 0 ended',
    },
    { log: 'Unknown suite: al\n', trouble: 'the run did not start: Unknown suite: al' },
    {
      log: `\nClient timed out after 30000ms\n${logOf()}`,
      trouble: 'a client did not end within the time limit of the suite',
    },
  ])('reports the problem: $trouble', ({ log, trouble }) => {
    expect(read('client', log).troubles).toEqual([trouble]);
  });

  it('reports a run that was ended early', () => {
    const { troubles } = readResults('client', { folder, log: logOf(), trouble: 'it was ended after 120 s' });
    expect(troubles).toEqual(['it was ended after 120 s']);
  });
});
