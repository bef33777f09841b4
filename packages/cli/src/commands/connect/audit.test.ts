import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRecord } from '@tenon/mcp-host';
import { type AuditFileOptions, auditFile, verifyAudit } from '@tenon/mcp-host/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunOutcome, runTenon } from '../../../test/run-tenon.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-audit-'));
  path = join(folder, 'audit.jsonl');
});

afterEach(() => rm(folder, { recursive: true }));

const time = Date.UTC(2026, 10, 28, 23, 30, 5);

function recordOf(id: string, more: Partial<AuditRecord> = {}): AuditRecord {
  return {
    ...{ id, time, kind: 'tool', server: 'notes', name: 'read_note', way: 'model', user: 'ada' },
    ...{ decision: 'allow', decidedBy: 'policy', outcome: 'done' },
    ...more,
  };
}

async function write(records: readonly AuditRecord[], options: AuditFileOptions = {}): Promise<void> {
  const log = auditFile(path, options);
  for (const record of records) await log.append(record);
  await log.close();
}

function run(...words: string[]): Promise<RunOutcome> {
  return runTenon(['audit', ...words], { cwd: folder });
}

async function breakLine(): Promise<void> {
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"id":"a"', '"id":"A"'));
}

describe('tenon audit verify', () => {
  it('prints the counts and the last line of an intact log', async () => {
    await write([
      recordOf('a', { outcome: 'running' }),
      recordOf('b', { outcome: 'running' }),
      recordOf('a'),
    ]);
    const { last } = await verifyAudit(path);
    const { code, stdout } = await run('verify', 'audit.jsonl');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'ok audit.jsonl: 3 records in 1 file, and no line is changed or missing',
        'without an outcome  1 request',
        'authentication      none: people who can write the files can also replace them',
        `last line           3:${last?.sha256}`,
        '',
      ].join('\n'),
    );
  });

  it('names the first line that does not fit, and exits with 1', async () => {
    await write([recordOf('a'), recordOf('b')]);
    await breakLine();
    const text = await run('verify', 'audit.jsonl');
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toContain(
      `error: ${path}, line 3: it does not follow the line before it: that line was changed, or another was there.`,
    );
    expect(text.stderr).toContain('hint: The 1 record before it fit together.');
    const json = await run('verify', 'audit.jsonl', '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ isIntact: false, problem: { line: 3 } });
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'broken_log', exitCode: 1 } });
  });

  it('checks the codes of lines with --key-file', async () => {
    const key = new Uint8Array(32).fill(7);
    await write([recordOf('a')], { key });
    await writeFile(join(folder, 'key'), key);
    await writeFile(join(folder, 'other'), new Uint8Array(32).fill(8));
    await writeFile(join(folder, 'short'), 'secret');
    expect((await run('verify', 'audit.jsonl')).stdout).toContain('not checked: use --key-file');
    expect((await run('verify', 'audit.jsonl', '--key-file', 'key')).stdout).toContain(
      'checked with the key',
    );
    expect((await run('verify', 'audit.jsonl', '--key-file', 'other')).stderr).toContain('another key');
    expect((await run('verify', 'audit.jsonl', '--key-file', 'short')).stderr).toContain(
      'fewer than 32 bytes',
    );
    expect((await run('verify', 'audit.jsonl', '--key-file', 'none')).stderr).toContain('cannot be read');
  });

  it('finds lines that were cut off with --anchor', async () => {
    await write([recordOf('a'), recordOf('b')]);
    const [, anchor = ''] = /last line +(\S+)/.exec((await run('verify', 'audit.jsonl')).stdout) ?? [];
    expect((await run('verify', 'audit.jsonl', '--anchor', anchor)).code).toBe(0);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.split('\n').slice(0, 2).join('\n').concat('\n'));
    expect((await run('verify', 'audit.jsonl')).code).toBe(0);
    const { code, stderr } = await run('verify', 'audit.jsonl', '--anchor', anchor);
    expect([code, stderr]).toEqual([1, expect.stringContaining('and not line 2, which it had before')]);
    expect((await run('verify', 'audit.jsonl', '--anchor', 'x')).stderr).toContain('NUMBER:SHA256');
  });

  it('accepts missing old files with --pruned only', async () => {
    await write(
      Array.from({ length: 40 }, (_, at) => recordOf(`${at}`)),
      { bytes: 4_096, files: 1 },
    );
    expect((await run('verify', 'audit.jsonl')).code).toBe(1);
    expect((await run('verify', 'audit.jsonl', '--pruned')).stdout).toContain('in 2 files');
  });

  it('reports a file that is missing or not a log', async () => {
    const { code, stderr } = await run('verify', 'audit.jsonl');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no audit log at ${path}.`)]);
    await writeFile(path, 'hello\n');
    expect((await run('verify', 'audit.jsonl')).stderr).toContain('line 1: it is not a line of an audit log');
  });
});

describe('tenon audit show', () => {
  const records = [
    recordOf('a', { outcome: 'running' }),
    recordOf('b', { outcome: 'running', server: 'mail', name: 'send' }),
    recordOf('c', { outcome: 'refused', user: 'bob', reason: 'not today\nor ever' }),
    recordOf('a', { outcome: 'done', ms: 12, input: { path: 'x.md' } }),
  ];

  it('prints one line for each request, with its outcome', async () => {
    await write(records);
    const { code, stdout } = await run('show', 'audit.jsonl');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'outcome    time                 server  request                    user  took   reason',
      'running    2026-11-28 23:30:05  mail    send                       ada',
      'refused    2026-11-28 23:30:05  notes   read_note                  bob          not today or ever',
      'done       2026-11-28 23:30:05  notes   read_note {"path":"x.md"}  ada   12 ms',
      '',
    ]);
  });

  it.each<[string[], string[]]>([
    [[], ['b', 'c', 'a']],
    [['--server', 'mail'], ['b']],
    [['--user', 'bob'], ['c']],
    [['--outcome', 'running'], ['b']],
    [['--outcome', 'done'], ['a']],
    [
      ['--last', '2'],
      ['c', 'a'],
    ],
    [['--server', 'none'], []],
  ])('selects requests by %j', async (words, ids) => {
    await write(records);
    const { stdout } = await run('show', 'audit.jsonl', ...words, '--json');
    expect(JSON.parse(stdout).requests.map(({ id }: AuditRecord) => id)).toEqual(ids);
  });

  it('prints the requests before the first line that does not fit, and exits with 1', async () => {
    await write([recordOf('a'), recordOf('b'), recordOf('c')]);
    await breakLine();
    const { code, stdout, stderr } = await run('show', 'audit.jsonl');
    expect([code, stdout.trim().split('\n')]).toEqual([1, [expect.anything(), expect.anything()]]);
    expect(stderr).toContain('line 3: it does not follow the line before it');
  });

  it('rejects an unknown outcome and a count that is not one', async () => {
    expect((await run('show', 'audit.jsonl', '--outcome', 'good')).stderr).toContain('Allowed choices are');
    expect((await run('show', 'audit.jsonl', '--last', '0')).stderr).toContain('above 0');
  });
});
