import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demo } from './demo.js';
import { revisionIds } from './scenario/columns.js';
import { authorizationExpectations, type Expectations, expectations } from './scenario/expectations.js';
import { notesScene } from './scenario/notes-scene.js';
import type { Cell } from './scenario/run-scenario.js';
import { memory, type Transport } from './scenario/transports/transports.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const rowsOf = (expected: Expectations) =>
  Object.entries(expected).flatMap(([group, rows]) => Object.keys(rows).map((row) => `${group}, ${row}`));

/** Rows of the table of the notes server. */
const rows = rowsOf(expectations).length;

let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'demo-test-'));
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built demo. Its temporary files go to a folder of the test. */
function run(...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const env = { ...process.env, TMPDIR: temporary };
    const child = execFile(process.execPath, [main, ...args], { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

/** Runs the demo in this process, by default on two revisions in memory. */
async function runHere(change: {
  expectations?: Expectations;
  transport?: Transport;
  screen?: { isTTY?: boolean; columns?: number };
  json?: boolean;
  environment?: NodeJS.ProcessEnv;
}): Promise<{ readonly code: number; readonly text: string }> {
  let text = '';
  const { transport = memory, json = false, environment = {} } = change;
  const args = { revisions: revisionIds.slice(2, 4), transports: [transport.name], json, help: false };
  const code = await demo(args, {
    scenes: [notesScene([transport], change.expectations)],
    screen: { ...change.screen, write: (more) => (text += more) },
    environment,
    signal: new AbortController().signal,
  });
  return { code, text };
}

const oneWrong = { ...expectations, tools: { ...expectations.tools, 'tools/list': '9 listed' } };

test('fills every cell with the expected value, in every revision over every transport', async () => {
  const { code, stdout, stderr } = await run('--json');
  expect(stderr).toBe('');
  const report: { ok: boolean; cells: Cell[] } = JSON.parse(stdout);
  expect(report.cells.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.ok).toBe(true);
  const places = new Set(
    report.cells.map(({ group, row, revision, transport }) => `${revision} ${transport}: ${group}, ${row}`),
  );
  const [, ...withAuthorization] = revisionIds;
  const all = [
    ...revisionIds.flatMap((revision, index) =>
      ['stdio', 'memory', index === 0 ? 'sse' : 'http'].flatMap((transport) =>
        rowsOf(expectations).map((row) => `${revision} ${transport}: ${row}`),
      ),
    ),
    ...withAuthorization.flatMap((revision) =>
      rowsOf(authorizationExpectations).map((row) => `${revision} http: ${row}`),
    ),
  ];
  expect([...places].sort()).toEqual(all.sort());
  expect(report.cells.every(({ expected, actual }) => expected !== '' && expected === actual)).toBe(true);
  expect(code).toBe(0);
  expect(await readdir(temporary)).toEqual([]);
});

test('prints the results of authorization and the error messages, and no token', async () => {
  const { code, stdout } = await run('--transport', 'http', '--revision', '2025-03-26');
  expect(code).toBe(0);
  const [, authorization = ''] = stdout.split(/^authorization\n/m);
  const [table = '', message = ''] = authorization.split(/^error messages\n/m);
  const lines = (text: string) => text.split('\n').map((line) => line.replace(/ +/g, ' ').trim());
  expect(lines(table)).toEqual(
    expect.arrayContaining([
      'sign-in │ as ada',
      'scopes at first │ read',
      'call beyond them │ 403, then created',
      'scopes afterwards │ read, write',
      'scope not granted │ denied',
    ]),
  );
  const [words = ''] = message.replace(/\s+│?\s*/g, ' ').split('63 of 63');
  expect(words).toContain(
    'scope not granted tools/call delete: The authorization server did not grant notes:delete.',
  );
  expect(words).toContain('user denies initialize: The user or the authorization server denied access');
  expect(words).toContain('The token is for another server.');
  expect(stdout).toMatch(
    new RegExp(
      `\n${rows + 12} of ${rows + 12} cells right: ${rows} rows × 1 column and 12 rows × 1 column \\(1 revision, `,
    ),
  );
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  // Tokens are signed JSON, which begins so in base64url.
  expect(stdout).not.toContain('eyJ');
});

test('prints a wrong cell below the table and exits with 1', async () => {
  const { code, text } = await runHere({ expectations: oneWrong });
  expect(code).toBe(1);
  expect(text).toContain(`✗ ${revisionIds[2]} memory, tools/list: expected "9 listed", got "8 listed"\n`);
  expect(text).toContain('✗ 8 list');
  expect(text).toMatch(
    new RegExp(
      `\n${2 * rows - 2} of ${2 * rows} cells right: ${rows} rows × 2 columns \\(2 revisions, 1 transport\\), in \\d+\\.\\d s\n$`,
    ),
  );
});

test('prints a wrong cell and its expected value as JSON', async () => {
  const { code, text } = await runHere({ expectations: oneWrong, json: true });
  const { ok, right, total, cells } = JSON.parse(text);
  expect([code, ok, right, total]).toEqual([1, false, 2 * rows - 2, 2 * rows]);
  expect(cells.filter((cell: Cell) => !cell.ok)[0]).toEqual({
    group: 'tools',
    row: 'tools/list',
    revision: revisionIds[2],
    transport: 'memory',
    expected: '9 listed',
    actual: '8 listed',
    ok: false,
  });
});

test('marks every cell of a column wrong when its server cannot be reached', async () => {
  const transport: Transport = { name: 'broken', open: () => Promise.reject(new Error('no way')) };
  const { code, text } = await runHere({ transport });
  expect(code).toBe(1);
  expect(text).toContain('got "not open: Error: no way"');
  expect(text).toContain(`0 of ${2 * rows} cells right`);
});

test('writes plain lines and a table of at most 120 columns to a pipe', async () => {
  const { code, stdout } = await run('--transport', 'memory');
  expect(code).toBe(0);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(new RegExp(`^2024-11-05 memory: ${rows} of ${rows} right in \\d+\\.\\d s\n`));
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

test('writes one progress line, colours and a folded table to a terminal', async () => {
  const { text } = await runHere({ screen: { isTTY: true, columns: 40 } });
  const cleared = text.lastIndexOf('\r');
  const [live, printed] = [text.slice(0, cleared), text.slice(cleared)];
  expect(live).not.toContain('\n');
  expect(live).toContain(`${2 * rows - 1}/${2 * rows}`);
  expect(printed).toContain('\u001b[32m');
  expect(printed.match(/connection/g)).toHaveLength(2);
});

test('writes no colours with NO_COLOR, and keeps the progress line', async () => {
  const { text } = await runHere({ screen: { isTTY: true, columns: 120 }, environment: { NO_COLOR: '1' } });
  expect(text).toContain('\r\u001b[2K');
  expect(text).not.toContain('\u001b[3');
});

test.each([
  [['--bogus'], "Unknown option '--bogus'"],
  [['--transport', 'pigeon'], "Unknown transport 'pigeon'; known are stdio, memory, http, sse"],
  [['--transport', 'sse', '--revision', '2026-07-28'], 'Revision 2026-07-28 is not available over sse'],
  [['--revision', '1999-12-31'], "Unknown revision '1999-12-31'"],
  [['extra'], "Unexpected argument 'extra'"],
])('exits with 2 for %j', async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^demo: .*\. See --help\.\n$/);
  expect(stderr).toContain(message);
});

test('lists every option with --help', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  for (const option of ['--revision', '--transport', '--json', '--help']) expect(stdout).toContain(option);
});

test('ends and removes its files when it is interrupted', async () => {
  const child = spawn(process.execPath, [main], { env: { ...process.env, TMPDIR: temporary } });
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await exit).toEqual([130, null]);
  expect(await readdir(temporary)).toEqual([]);
});

test('prints the spans of both ends of one call as a tree', async () => {
  const { code, stdout } = await run('--transport', 'http', '--revision', '2026-07-28');
  expect(code).toBe(0);
  expect(stdout).toContain(
    [
      'answer the user                    INTERNAL',
      '  └ tools/call order               CLIENT',
      '     ├ tools/call order            SERVER   input_required',
      '     ├ elicitation/create          INTERNAL',
      '     └ tools/call order            SERVER   linked to the first round',
      '        └ INSERT order             INTERNAL',
    ].join('\n'),
  );
});
