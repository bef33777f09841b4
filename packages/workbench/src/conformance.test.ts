import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FakeRun, fakeSuite } from '../test/fake-suite.js';
import { closedPort } from '../test/node-server.js';
import { type ConformanceOptions, checkConformance } from './conformance.js';

const good = { id: 'a', status: 'SUCCESS' };
const bad = { id: 'b', status: 'FAILURE', errorMessage: 'It is\n\u001b[31mwrong' };
const odd = { id: 'c', status: 'WARNING', errorMessage: 'It should not' };

async function checked(run: FakeRun, options: Partial<ConformanceOptions> = {}) {
  const server = createServer({ name: 'notes', version: '1.0.0' }).tool('add', {}, () => 'added');
  const serving = await serveHttp(server);
  onTestFinished(() => serving.close());
  const program = {
    command: process.execPath,
    args: ['-e', fakeSuite(run)],
    version: '9.9.9',
    downloads: [],
  };
  const info = { name: 'test', version: '1.0.0' };
  return checkConformance({ kind: 'url', url: serving.url }, { info, program, ...options });
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'conformance-test-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

describe('checkConformance', () => {
  it('reads the outcome of each scenario from the files of the suite', async () => {
    const started: string[] = [];
    const scenarios = {
      ping: [good, good],
      'server-initialize': [good, bad, odd],
      caching: [odd],
      'a-b': [],
      thrown: null,
    };
    const report = await checked({ scenarios, exitCode: 1 }, { onScenario: (name) => started.push(name) });
    expect(report).toMatchObject({ suite: '9.9.9', ok: false, isInterrupted: false, stale: [] });
    expect(report.scenarios).toEqual([
      { scenario: 'ping', status: 'passed', passed: 2, failed: 0, warned: 0, problems: [] },
      {
        ...{ scenario: 'server-initialize', status: 'failed', passed: 1, failed: 1, warned: 1 },
        problems: ['b: It is wrong', 'c: It should not'],
      },
      {
        scenario: 'caching',
        status: 'warned',
        passed: 0,
        failed: 0,
        warned: 1,
        problems: ['c: It should not'],
      },
      { scenario: 'a-b', status: 'skipped', passed: 0, failed: 0, warned: 0, problems: [] },
      {
        ...{ scenario: 'thrown', status: 'failed', passed: 0, failed: 1, warned: 0 },
        problems: ['Failed to run scenario thrown: it threw'],
      },
    ]);
    expect(started).toEqual(Object.keys(scenarios));
  });

  it('does not count scenarios for things that the server lacks, unless it is strict', async () => {
    const run = { scenarios: { 'tools-call-simple-text': [good, bad], 'tools-list': [good] }, exitCode: 1 };
    expect(await checked(run)).toMatchObject({
      ok: true,
      scenarios: [{ status: 'inapplicable', needs: 'the tool test_simple_text' }, { status: 'passed' }],
    });
    expect(await checked(run, { strict: true })).toMatchObject({
      ok: false,
      scenarios: [{ status: 'failed' }, {}],
    });
  });

  it('counts a failure for a thing that the server has', async () => {
    const run = { scenarios: { 'tools-list': [bad] }, exitCode: 1 };
    expect(await checked(run)).toMatchObject({ ok: false, scenarios: [{ status: 'failed' }] });
  });

  it('reads expected, unexpected and stale failures', async () => {
    const end = [
      '\u001b[31mStale baseline entries (now passing):\u001b[0m',
      '  \u2713 tools-list',
      '\u001b[31mUnexpected failures (not in baseline):\u001b[0m',
      '  \u2717 caching',
      '',
      'Baseline is stale.',
    ].join('\n');
    const scenarios = { ping: [bad], caching: [bad], 'tools-list': [good] };
    const report = await checked({ scenarios, end, exitCode: 1 }, { expectedFailures: 'expected.yml' });
    expect(report).toMatchObject({ ok: false, stale: ['tools-list'] });
    expect(report.scenarios.map(({ status }) => status)).toEqual(['expected', 'failed', 'passed']);
  });

  it('passes the choices of the user on, and keeps the files in a folder', async () => {
    const cwd = await folder();
    const choices = {
      suite: 'all',
      revision: '2025-11-25',
      expectedFailures: 'expected.yml',
      timeout: 5_000,
    };
    await checked({ scenarios: { ping: [good] } }, { ...choices, cwd, output: 'out' });
    const words: unknown = JSON.parse(await readFile(join(cwd, 'out', 'words.json'), 'utf8'));
    expect(words).toEqual([
      ...[
        'server',
        '--url',
        expect.stringMatching(/^http:/),
        '--suite',
        'all',
        '--spec-version',
        '2025-11-25',
      ],
      ...['--expected-failures', join(cwd, 'expected.yml'), '--timeout', '5000', '-o', join(cwd, 'out')],
    ]);
  });

  it('ends the suite and returns what has ended when it is interrupted', async () => {
    const ending = new AbortController();
    const run = { scenarios: { ping: [good], caching: [good] }, hangs: true };
    const output = await folder();
    const report = await checked(run, {
      ...{ signal: ending.signal, output },
      onScenario: (name) => name === 'caching' && ending.abort(),
    });
    expect(report).toMatchObject({
      isInterrupted: true,
      scenarios: [{ scenario: 'ping' }, { scenario: 'caching' }],
    });
    expect(await readFile(join(output, 'interrupted.json'), 'utf8')).toBe('true');
  });

  it('rejects a server that cannot be reached before it starts the suite', async () => {
    const url = `http://127.0.0.1:${await closedPort()}/mcp`;
    const program = { command: 'never-started', args: [], version: '1', downloads: [] };
    const info = { name: 'test', version: '1.0.0' };
    await expect(checkConformance({ kind: 'url', url }, { info, program })).rejects.toThrow('ECONNREFUSED');
  });

  it('rejects when the suite runs no scenario', async () => {
    await expect(
      checked({ scenarios: {}, end: 'Unknown scenario: nope', exitCode: 1 }),
    ).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('Unknown scenario: nope'),
    });
  });

  it('rejects when the suite cannot be started', async () => {
    const program = { command: '/nothing/npx', args: [], version: '1', downloads: [] };
    await expect(checked({ scenarios: {} }, { program })).rejects.toMatchObject({
      reason: 'unreachable',
      message: '/nothing/npx cannot be started (ENOENT).',
    });
  });

  it.each([
    ['a suite and a scenario', { suite: 'all', scenario: 'ping' }],
    ['requirements and a revision', { requirements: '2025-11-25', revision: '2025-11-25' }],
  ])('rejects %s together', async (_, options) => {
    await expect(checked({ scenarios: {} }, options)).rejects.toMatchObject({ reason: 'usage' });
  });

  it('rejects headers, which the suite does not send', async () => {
    const target = { kind: 'url', url: 'http://127.0.0.1:1/', headers: { authorization: 'x' } } as const;
    const info = { name: 'test', version: '1.0.0' };
    await expect(checkConformance(target, { info })).rejects.toMatchObject({ reason: 'usage' });
  });
});
