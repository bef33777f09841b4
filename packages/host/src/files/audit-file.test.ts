import { spawnSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { otherBounds } from '@tenon/foundation';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordOf } from '../../test/audit-records.js';
import type { AuditRecord } from '../audit/audit-log.js';
import { type AuditFileOptions, auditFile } from './audit-file.js';
import { verifyAudit } from './verify-audit.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-audit-'));
  path = join(folder, 'audit.jsonl');
});

afterEach(async () => {
  await chmod(folder, 0o700).catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

async function linesOf(file = path): Promise<Record<string, Record<string, unknown>>[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function write(ids: readonly string[], options: AuditFileOptions = {}): Promise<void> {
  const log = auditFile(path, options);
  for (const id of ids) await log.append(recordOf(id));
  await log.close();
}

async function storedRecords(options = {}): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  const report = await verifyAudit(path, { ...options, onRecord: (record) => records.push(record) });
  expect(report.problem).toBeUndefined();
  return records;
}

describe('auditFile', () => {
  it('writes a header, then records in the order of append, each with the SHA-256 of the line before', async () => {
    await write(['a', 'b']);
    const text = await readFile(path, 'utf8');
    const [header, first, second] = await linesOf();
    expect(header).toMatchObject({ seq: 0, prev: '', header: { format: 1, part: 1, keyed: false } });
    expect(first).toMatchObject({ seq: 1, record: recordOf('a') });
    expect(second).toMatchObject({ seq: 2, record: recordOf('b') });
    // Any program can check the chain.
    const line = text.split('\n')[1] ?? '';
    const sum = spawnSync('sha256sum', { input: line, encoding: 'utf8' }).stdout.slice(0, 64);
    expect(second?.prev).toBe(sum);
  });

  it('continues the chain after a restart of the program', async () => {
    await write(['a']);
    await write(['b']);
    expect((await storedRecords()).map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await linesOf()).map(({ seq }) => seq)).toEqual([0, 1, 2]);
  });

  it('writes records of one turn of the event loop at once, and resolves each', async () => {
    const log = auditFile(path);
    const datasync = await spiedDatasync();
    await Promise.all(Array.from({ length: 200 }, (_, at) => log.append(recordOf(`${at}`))));
    await log.close();
    expect(datasync.mock.calls.length).toBeLessThan(5);
    expect((await storedRecords()).map(({ id }) => id)).toEqual(
      Array.from({ length: 200 }, (_, at) => `${at}`),
    );
  });

  it('waits for the disk unless sync is false', async () => {
    const datasync = await spiedDatasync();
    await write(['a']);
    expect(datasync).toHaveBeenCalledTimes(1);
    await write(['b'], { sync: false });
    expect(datasync).toHaveBeenCalledTimes(1);
  });

  it('keeps all records of two logs that write one file at the same time', async () => {
    const logs = [auditFile(path, { bytes: 8_192 }), auditFile(path, { bytes: 8_192 })];
    const ids = Array.from({ length: 60 }, (_, at) => `${at}`);
    await Promise.all(
      logs.map(async (log, own) => {
        for (const id of ids) await log.append(recordOf(`${own}-${id}`));
      }),
    );
    const records = await storedRecords();
    for (const own of [0, 1])
      expect(records.filter(({ id }) => id.startsWith(`${own}-`)).map(({ id }) => id)).toEqual(
        ids.map((id) => `${own}-${id}`),
      );
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock') || name.endsWith('.tmp'))).toEqual(
      [],
    );
  });

  it('makes the file and its folder for the user only', async () => {
    path = join(folder, 'state', 'audit.jsonl');
    await write(['a']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'state'))).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['a file that others can read', async () => chmod(path, 0o644), 'is open to other users'],
    ['a folder that others can write to', async () => chmod(folder, 0o777), 'Other users can write to'],
    [
      'a symbolic link',
      async () => {
        await rename(path, `${path}-target`);
        await symlink(`${path}-target`, path);
      },
      'is a symbolic link',
    ],
    ['another kind of file', async () => writeFile(path, '{"log":1}\n'), 'is not an audit log'],
    ['an empty file', async () => truncate(path, 0), 'is not an audit log'],
  ])('rejects records for %s', async (_, change, message) => {
    await write(['a']);
    await change();
    const log = auditFile(path);
    await expect(log.append(recordOf('b'))).rejects.toThrow(message);
    await expect(log.append(recordOf('c'))).rejects.toMatchObject({ name: 'FileError' });
  });

  it('rejects records if the file was removed, replaced or shortened while it is written', async () => {
    const log = auditFile(path);
    await log.append(recordOf('a'));
    await log.append(recordOf('b'));
    const text = await readFile(path, 'utf8');
    await rm(path);
    await expect(log.append(recordOf('c'))).rejects.toThrow('records are gone');
    await write(['other']);
    await expect(log.append(recordOf('c'))).rejects.toThrow('records are gone');
    await writeFile(path, text.split('\n').slice(0, 2).join('\n').concat('\n'));
    await expect(log.append(recordOf('c'))).rejects.toThrow('records are gone');
    await writeFile(path, text);
    await log.append(recordOf('c'));
    expect((await storedRecords()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('rejects records if the folder was removed, and does not make a new log', async () => {
    const log = auditFile(path);
    await log.append(recordOf('a'));
    await rm(folder, { recursive: true });
    await expect(log.append(recordOf('b'))).rejects.toThrow('ENOENT');
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  it('rejects records and leaves no part of them when the disk is full', async () => {
    const log = auditFile(path);
    await log.append(recordOf('a'));
    const { prototype, real } = await fileHandles();
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const spy = vi.spyOn(prototype, 'writeFile').mockImplementation(async function (this: unknown, data) {
      // The lock writes text.
      if (typeof data === 'string') return real.writeFile.call(this as never, data);
      await real.writeFile.call(this as never, (data as Uint8Array).subarray(0, 20));
      throw full;
    });
    await expect(log.append(recordOf('b'))).rejects.toThrow(
      `Cannot write ${path} (ENOSPC): free the disk or make the file writable.`,
    );
    spy.mockRestore();
    expect(await verifyAudit(path)).toMatchObject({ records: 1, torn: 0 });
    await log.append(recordOf('c'));
    expect((await storedRecords()).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('reports the torn end that a crash left, and keeps its bytes', async () => {
    await write(['a']);
    await appendFile(path, '{"seq":2,"prev":"');
    const log = auditFile(path);
    await log.append(recordOf('b'));
    const text = await readFile(path, 'utf8');
    expect(text.split('\n')[2]).toBe('{"seq":2,"prev":"');
    expect(JSON.parse(text.split('\n')[3] ?? '')).toMatchObject({ seq: 2, recovered: { bytes: 17 } });
    expect(await verifyAudit(path)).toMatchObject({ isIntact: true, records: 2, recovered: 1, torn: 0 });
  });

  it.each([
    ['several lines, one of them whole', '{"seq":2}\nzzz\nxx'],
    ['whole lines', 'zzz\n\n'],
    ['zeros of a file system', '\0'.repeat(5_000)],
    ['much more than a line', 'x'.repeat(300_000)],
  ])('continues after %s at its end', async (_, torn) => {
    await write(['a']);
    await appendFile(path, torn);
    await write(['b', 'c']);
    expect(await verifyAudit(path)).toMatchObject({ isIntact: true, records: 3, recovered: 1 });
  });

  it('rejects records if no line is left within the last megabytes', async () => {
    await write(['a']);
    await appendFile(path, new Uint8Array(20_000_000));
    await expect(auditFile(path).append(recordOf('b'))).rejects.toThrow('is damaged at its end');
  });
});

describe('auditFile and its files', () => {
  const bytes = 4_096;
  const many = Array.from({ length: 40 }, (_, at) => `${at}`);

  it('closes a file at its size, and continues the chain in the next one', async () => {
    await write(many, { bytes });
    const names = (await readdir(folder)).sort();
    expect(names).toEqual(['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2']);
    const sum = spawnSync('sha256sum', [`${path}.1`], { encoding: 'utf8' }).stdout.slice(0, 64);
    const [header] = await linesOf(`${path}.2`);
    expect(header?.header).toMatchObject({ part: 2, before: { file: 'audit.jsonl.1', sha256: sum } });
    expect((await linesOf(`${path}.1`)).at(-1)).toMatchObject({ end: { part: 1 } });
    expect((await storedRecords()).map(({ id }) => id)).toEqual(many);
  });

  it('deletes the oldest files beyond the option files, and the rest is verified with pruned', async () => {
    await write(many, { bytes, files: 1 });
    expect((await readdir(folder)).sort()).toEqual(['audit.jsonl', 'audit.jsonl.2']);
    expect((await verifyAudit(path)).problem?.reason).toContain('the files before it are missing');
    const records = await storedRecords({ pruned: true });
    expect(records.at(-1)?.id).toBe('39');
    expect(records.length).toBeLessThan(40);
  });

  it('continues if a process ended before it renamed a full file', async () => {
    await write(many, { bytes: 4_096 });
    await rename(`${path}.2`, path);
    await write(['later']);
    expect((await storedRecords()).at(-1)?.id).toBe('later');
    expect(await readdir(folder)).toContain('audit.jsonl.2');
  });

  it('continues if a process ended before it made the next file', async () => {
    await write(many, { bytes: 4_096 });
    await rm(path);
    expect((await verifyAudit(path)).problem).toMatchObject({ file: path, line: 0 });
    const [last] = (await linesOf(`${path}.2`)).slice(-1);
    await write(['later']);
    expect((await linesOf())[0]).toMatchObject({ seq: Number(last?.seq) + 1, header: { part: 3 } });
    expect((await storedRecords()).at(-1)?.id).toBe('later');
  });

  it('rejects records rather than replace a file of another log', async () => {
    await writeFile(`${path}.1`, 'mine', { mode: 0o600 });
    await expect(write(['a'])).rejects.toThrow('is not an audit log');
    expect(await readFile(`${path}.1`, 'utf8')).toBe('mine');
  });

  it('stays intact if a full file cannot be set aside for a while', async () => {
    const log = auditFile(path, { bytes: 4_096 });
    await log.append(recordOf('a', 'done', { input: ['x'.repeat(4_000)] }));
    // A folder cannot be replaced by a file.
    await mkdir(`${path}.1`);
    for (const id of ['b', 'c']) await expect(log.append(recordOf(id))).rejects.toThrow('exists already');
    await rm(`${path}.1`, { recursive: true });
    await log.append(recordOf('d'));
    await log.close();
    expect((await storedRecords()).map(({ id }) => id)).toEqual(['a', 'd']);
  });
});

describe('auditFile and the content of records', () => {
  it('masks secrets anywhere in a record', async () => {
    const log = auditFile(path);
    const input = {
      url: 'https://ada:hunter2@example.com',
      headers: { authorization: 'Bearer abc123def456' },
    };
    await log.append(recordOf('a', 'failed', { input, reason: 'refused: Bearer abc123def456' }));
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('abc123def456');
    expect(text).toContain('[redacted]');
  });

  it('uses the redactor of the option redact, and rejects records if it throws', async () => {
    const log = auditFile(path, { redact: (record) => ({ ...(record as object), user: '*' }) });
    await log.append(recordOf('a', 'done', { user: 'ada' }));
    expect((await storedRecords())[0]?.user).toBe('*');
    const failing = auditFile(path, {
      redact: () => {
        throw new Error('no');
      },
    });
    await expect(failing.append(recordOf('b'))).rejects.toThrow('no');
  });

  it('cuts long texts, and replaces the largest members of a record of more than 64 KiB', async () => {
    const log = auditFile(path);
    await log.append(recordOf('a', 'done', { input: { text: 'x'.repeat(10_000) } }));
    await log.append(recordOf('b', 'done', { input: Array.from({ length: 9_000 }, () => '12345678') }));
    await log.append(
      recordOf('\u0001'.repeat(9_000), 'done', {
        name: '\u0001'.repeat(9_000),
        reason: '\u0001'.repeat(9_000),
      }),
    );
    const [first, second, third] = await storedRecords();
    expect(first?.input).toEqual({ text: `${'x'.repeat(4_096)}… (5904 more characters)` });
    expect(second?.input).toMatch(/^\(left out: 99001 bytes of JSON, SHA-256 [0-9a-f]{64}\)$/);
    expect(third?.outcome).toBe('done');
    const longest = Math.max(...(await readFile(path, 'utf8')).split('\n').map((line) => line.length));
    expect(longest).toBeLessThan(65_536 + 1_024);
  });

  it('writes the record as it was at append', async () => {
    const log = auditFile(path);
    const record = recordOf('a', 'done', { input: { count: 1 } });
    const done = log.append(record);
    Object.assign(record.input as object, { count: 2 });
    await done;
    expect((await storedRecords())[0]?.input).toEqual({ count: 1 });
  });

  it('rejects records beyond the queue, and after close', async () => {
    const log = auditFile(path, otherBounds({ queue: 2 }));
    const first = [log.append(recordOf('a')), log.append(recordOf('b'))];
    await expect(log.append(recordOf('c'))).rejects.toThrow('2 records wait to be written');
    await log.close();
    await Promise.all(first);
    await expect(log.append(recordOf('d'))).rejects.toThrow('The audit log is closed.');
  });

  it('rejects unknown and invalid options', () => {
    expect(() => auditFile('')).toThrow('the path is missing');
    expect(() => auditFile(path, { size: 1 } as never)).toThrow('there is no option "size"');
    expect(() => auditFile(path, { bytes: 100 })).toThrow(RangeError);
    expect(() => auditFile(path, { key: new Uint8Array(16) })).toThrow('a Uint8Array of 32 bytes or more');
  });
});

describe('auditFile with a key', () => {
  const key = new Uint8Array(32).fill(7);

  it('rejects records for a file with another key, or of a log without one', async () => {
    await write(['a'], { key });
    const other = auditFile(path, { key: new Uint8Array(32).fill(8) });
    await expect(other.append(recordOf('b'))).rejects.toThrow('was not written with this key');
    await expect(auditFile(path).append(recordOf('b'))).rejects.toThrow('was written with a key');
    await rm(path);
    await write(['a']);
    await expect(auditFile(path, { key }).append(recordOf('b'))).rejects.toThrow('was written without a key');
  });
});

/** The prototype of file handles, with its methods. */
async function fileHandles() {
  const { open } = await import('node:fs/promises');
  const handle = await open(join(folder, 'any'), 'w');
  await handle.close();
  await rm(join(folder, 'any'));
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  return { prototype, real: { writeFile: prototype.writeFile } };
}

async function spiedDatasync() {
  const { prototype } = await fileHandles();
  return vi.spyOn(prototype, 'datasync').mockClear();
}
