import { createHash, createHmac } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordOf } from '../../test/audit-records.js';
import { type AuditFileOptions, auditFile } from './audit-file.js';
import { type AuditReport, verifyAudit } from './verify-audit.js';

const key = new Uint8Array(32).fill(7);
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-verify-'));
  path = join(folder, 'audit.jsonl');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(count: number, options: AuditFileOptions = {}): Promise<void> {
  const log = auditFile(path, { sync: false, ...options });
  for (let at = 0; at < count; at++) await log.append(recordOf(`call-${at}`));
  await log.close();
}

async function edit(change: (lines: string[]) => string[], file = path): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  await writeFile(file, `${change(lines).join('\n')}\n`);
}

function edited(lines: readonly string[], change: (all: string[]) => unknown): string[] {
  const all = [...lines];
  change(all);
  return all;
}

/** Writes the whole log again, as a program could that knows the format and has no key. */
function writtenAgain(lines: string[]): string[] {
  let prev = '';
  return lines.map((text, seq) => {
    const { mac: _, ...line } = JSON.parse(text.replaceAll('call-1', 'call-X'));
    const again = JSON.stringify({ ...line, seq, prev });
    prev = createHash('sha256').update(again).digest('hex');
    return again;
  });
}

describe('verifyAudit', () => {
  it('counts records, requests without an outcome, and names the ends of an intact log', async () => {
    const log = auditFile(path);
    const records = [
      recordOf('a', 'running'),
      recordOf('b', 'running'),
      recordOf('a', 'done'),
      recordOf('c', 'refused'),
      recordOf('d'.repeat(500), 'running'),
    ];
    for (const record of records) await log.append(record);
    const last = (await readFile(path, 'utf8')).trimEnd().split('\n').at(-1) ?? '';
    expect(await verifyAudit(path)).toEqual({
      ...{
        isIntact: true,
        problem: undefined,
        files: [path],
        records: 5,
        unfinished: 2,
        recovered: 0,
        torn: 0,
      },
      authentication: 'none',
      first: { seq: 0, sha256: expect.any(String) },
      last: { seq: 5, sha256: createHash('sha256').update(last).digest('hex') },
    });
  });

  it.each<[string, (lines: string[]) => string[], number, string]>([
    [
      'a changed record',
      (lines) => edited(lines, (all) => all.splice(2, 1, (lines[2] ?? '').replace('call-1', 'call-9'))),
      4,
      'that line was changed',
    ],
    [
      'a removed line',
      (lines) => edited(lines, (all) => all.splice(2, 1)),
      3,
      'its number is 3, and 2 is next',
    ],
    [
      'a doubled line',
      (lines) => edited(lines, (all) => all.splice(2, 0, lines[2] ?? '')),
      4,
      'its number is 2, and 3 is next',
    ],
    [
      'two exchanged lines',
      (lines) => edited(lines, (all) => all.splice(2, 2, lines[3] ?? '', lines[2] ?? '')),
      3,
      'lines are missing, added or moved',
    ],
    [
      'a line that is not one',
      (lines) => edited(lines, (all) => all.splice(2, 0, 'note to self')),
      3,
      'it is not a line of an audit log',
    ],
    ['such a line at the end', (lines) => [...lines, 'note to self'], 8, 'it is not a line of an audit log'],
    ['a missing header', (lines) => lines.slice(1), 1, 'it is not the header of an audit log'],
    ['a second header', (lines) => [...lines, lines[0] ?? ''], 8, 'it is a second header'],
    [
      'a false number in the first line',
      (lines) => edited(lines, (all) => all.splice(0, 1, (lines[0] ?? '').replace('"seq":0', '"seq":7'))),
      1,
      'it is the first line, and names a line before it',
    ],
    [
      'a report of torn bytes that are not there',
      (lines) => [...lines, '{"seq":7,"prev":"","recovered":{"bytes":3,"sha256":"00"}}'],
      8,
      'it reports torn bytes',
    ],
    [
      'a changed format',
      (lines) =>
        edited(lines, (all) => all.splice(0, 1, (lines[0] ?? '').replace('"format":1', '"format":2'))),
      1,
      'it is of format 2',
    ],
  ])('names the line and the reason for %s', async (_, change, ...[line, reason]) => {
    await write(6);
    await edit(change);
    const report = await verifyAudit(path);
    expect(report).toMatchObject({ isIntact: false, problem: { file: path, line } });
    expect(report.problem?.reason).toContain(reason);
  });

  it('finds each changed byte: all but those of the last line without a key, and all with one', async () => {
    for (const options of [{}, { key }]) {
      await rm(path, { force: true });
      await write(3, options);
      const bytes = await readFile(path);
      const lastLine = bytes.lastIndexOf(10, -2) + 1;
      const { last } = await verifyAudit(path, options);
      for (let at = 0; at < bytes.length; at += 7) {
        const changed = Uint8Array.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        await writeFile(path, changed);
        const report = await verifyAudit(path, options);
        const isFound = !report.isIntact || report.torn > 0;
        expect([at, isFound]).toEqual([at, at < lastLine || 'key' in options || isFound]);
        expect([at, report.last]).not.toEqual([at, last]);
      }
    }
  });

  it('reports a torn line at the end, which the next writer recovers', async () => {
    await write(2);
    await appendFile(path, '{"seq":3,');
    expect(await verifyAudit(path)).toMatchObject({ isIntact: true, records: 2, torn: 9 });
  });

  it('reads a line of any length', async () => {
    await write(2);
    await appendFile(path, new Uint8Array(3_000_000).fill(120));
    expect(await verifyAudit(path)).toMatchObject({ isIntact: true, torn: 3_000_000 });
    await appendFile(path, '\n');
    expect((await verifyAudit(path)).problem).toMatchObject({ line: 4 });
  });

  it('rejects if there is no log, and unknown options', async () => {
    await expect(verifyAudit(path)).rejects.toThrow(`There is no audit log at ${path}.`);
    await expect(verifyAudit(folder)).rejects.toMatchObject({ name: 'FileError' });
    await expect(verifyAudit(path, { keys: key } as never)).rejects.toThrow('there is no option "keys"');
  });
});

describe('verifyAudit and files', () => {
  const bytes = 4_096;

  it.each<[string, () => Promise<unknown>, string, string]>([
    ['a missing file', () => rm(`${path}.2`), 'audit.jsonl', 'it does not follow audit.jsonl.1'],
    ['a missing first file', () => rm(`${path}.1`), 'audit.jsonl.2', 'the files before it are missing'],
    [
      'a changed closed file',
      () => edit((lines) => [...lines.slice(0, -1), `${lines.at(-1)} `], `${path}.1`),
      'audit.jsonl.2',
      'that file was changed',
    ],
    [
      'a shortened closed file',
      () => edit((lines) => lines.slice(0, -1), `${path}.1`),
      'audit.jsonl.1',
      'lines are missing',
    ],
    [
      'a closed file with more lines',
      () => appendFile(`${path}.1`, 'x\n'),
      'audit.jsonl.1',
      'it is not a line',
    ],
    [
      'a closed file with more bytes',
      () => appendFile(`${path}.1`, 'x'),
      'audit.jsonl.1',
      'it is behind the end of the file',
    ],
    [
      'a renamed file',
      () => rename(`${path}.2`, `${path}.3`),
      'audit.jsonl',
      'it does not follow audit.jsonl.1',
    ],
  ])('names the file for %s', async (_, change, ...[file, reason]) => {
    await write(40, { bytes });
    await change();
    const { problem } = await verifyAudit(path);
    expect(problem).toMatchObject({ file: join(folder, file), reason: expect.stringContaining(reason) });
  });

  it('names the file of another log', async () => {
    await write(20, { bytes });
    const first = await readFile(`${path}.1`);
    await rm(`${path}.1`);
    await rm(path);
    await write(20, { bytes });
    await writeFile(`${path}.1`, first);
    expect((await verifyAudit(path)).problem?.reason).toContain('it begins another log');
  });

  it('reads all lines while a writer closes files', async () => {
    const log = auditFile(path, { bytes, sync: false });
    await log.append(recordOf('first'));
    let isDone = false;
    const writing = (async () => {
      for (let at = 0; at < 100; at++) await log.append(recordOf(`call-${at}`));
      isDone = true;
    })();
    const reports: AuditReport[] = [];
    while (!isDone) reports.push(await verifyAudit(path));
    await writing;
    expect(reports.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect((await verifyAudit(path)).records).toBe(101);
  });
});

describe('verifyAudit, its key and its anchor', () => {
  it('finds a log that was written again with a key or an anchor, and cannot without', async () => {
    await write(5, { key });
    const { last } = await verifyAudit(path, { key });
    await edit(writtenAgain);
    expect(await verifyAudit(path)).toMatchObject({ isIntact: true, authentication: 'none' });
    expect((await verifyAudit(path, { key })).problem).toMatchObject({
      line: 1,
      reason: 'it was written without the key',
    });
    expect((await verifyAudit(path, { anchor: last as never })).problem).toMatchObject({
      line: 6,
      reason: 'it is not the line 5 that the log had before',
    });
  });

  it('finds lines that were cut off at the end with an anchor, and cannot without', async () => {
    await write(5, { key });
    const { last } = await verifyAudit(path, { key });
    await edit((lines) => lines.slice(0, -2));
    expect(await verifyAudit(path, { key })).toMatchObject({ isIntact: true, records: 3 });
    expect((await verifyAudit(path, { key, anchor: last as never })).problem?.reason).toBe(
      'the log has the lines 0 to 3, and not line 5, which it had before',
    );
  });

  it('accepts an anchor to which records were added since', async () => {
    await write(3);
    const { last } = await verifyAudit(path);
    await write(30, { bytes: 4_096 });
    expect(await verifyAudit(path, { anchor: last as never })).toMatchObject({ isIntact: true, records: 33 });
  });

  it('rejects lines of another key', async () => {
    await write(3, { key });
    expect(await verifyAudit(path, { key })).toMatchObject({ isIntact: true, authentication: 'checked' });
    expect(await verifyAudit(path)).toMatchObject({ isIntact: true, authentication: 'unchecked' });
    const other = new Uint8Array(32).fill(8);
    expect((await verifyAudit(path, { key: other })).problem).toMatchObject({
      line: 1,
      reason: 'it was changed, or written with another key',
    });
    await edit(([header = '', ...lines]) => [
      header,
      ...lines.map((line) => {
        const body = line.replace(/,"mac":.*/, '}').replace('call-1', 'call-9');
        return `${body.slice(0, -1)},"mac":"${createHmac('sha256', other).update(body).digest('hex')}"}`;
      }),
    ]);
    expect((await verifyAudit(path, { key })).problem).toMatchObject({ line: 2 });
  });
});
