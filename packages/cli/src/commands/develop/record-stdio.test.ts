import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecording } from '@tenon/mcp-testing/recordings';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-stdio-'));
});
beforeEach(({ task }) => {
  file = join(folder, `recording${task.id}.md`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const script = `
process.stdin.setEncoding('utf8');
let text = '';
process.stdin.on('data', (chunk) => {
  text += chunk;
  for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
    const { id, method, params } = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    if (method === 'noise') console.log('Server started!');
    if (method === 'crash') process.exit(7);
    if (method === 'env') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { value: process.env[params.name] } }));
    else if (id !== undefined) console.log('{"jsonrpc":"2.0","id":' + id + ',"result":{"big":12345678901234567890}}');
  }
});
`;
const server = ['--', process.execPath, '-e', script];
const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

describe('tenon record over stdio', () => {
  it('passes bytes unchanged, and records them', async () => {
    const input =
      line({ id: 1, method: 'noise' }) + line({ id: 2, method: 'env', params: { name: 'GREETING' } });
    const { code, stdout, stderr } = await runTenon(['record', file, '--verbose', ...server], {
      input,
      env: { GREETING: 'hello', PATH: process.env.PATH ?? '' },
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Server started!\n{"jsonrpc":"2.0","id":1,"result":{"big":12345678901234567890}}\n${line({ id: 2, result: { value: 'hello' } })}`,
    });
    expect(stderr).toContain('1 → noise #1\n');
    expect(stderr).toContain('1 ← not a message: Server started!\n');
    expect(stderr).toContain('1 connection, 5 messages (2 from clients, 3 from the server)');
    expect(readRecording(file)[0]).toMatchObject([
      { from: 'client' },
      { from: 'client' },
      { message: 'Server started!' },
      {},
      {},
      { message: undefined },
    ]);
  });

  it('exits with 4 when the server crashes, with all messages in the file', async () => {
    const { code, stderr } = await runTenon(['record', file, ...server], {
      input: line({ id: 1, method: 'a' }) + line({ method: 'crash' }),
    });
    expect(code).toBe(4);
    expect(stderr).toMatch(/exited with code 7/);
    expect(readRecording(file)[0]?.at(-1)).toMatchObject({ message: undefined });
  });

  it('does not overwrite a file without --force', async () => {
    writeFileSync(file, 'mine');
    const refused = await runTenon(['record', file, ...server]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('exists already');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await runTenon(['record', file, '--force', ...server])).code).toBe(0);
    expect(
      (await runTenon(['record', file, '--append', ...server], { input: line({ id: 1, method: 'a' }) })).code,
    ).toBe(0);
    expect(readRecording(file).filter(({ length }) => length > 0).length).toBeGreaterThan(0);
  });

  it('does not write a file that another process writes, and ignores the lock of a process that ended', async () => {
    const input = line({ id: 1, method: 'a' });
    expect((await runTenon(['record', file, ...server], { input })).code).toBe(0);
    writeFileSync(`${file}.lock`, String(process.ppid));
    const refused = await runTenon(['record', file, '--append', ...server]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`is being written by process ${process.ppid}`);
    writeFileSync(`${file}.lock`, '999999999');
    expect((await runTenon(['record', file, '--append', ...server])).code).toBe(0);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('leaves no file when nothing was recorded, and exits with 4 when the command is not found', async () => {
    const { code, stderr } = await runTenon(['record', file, '--', 'no-such-command']);
    expect(code).toBe(4);
    expect(stderr).toContain('nothing was recorded');
    expect(existsSync(file)).toBe(false);
  });

  it('exits with 1 when the file cannot be written', async () => {
    const { code, stderr } = await runTenon(['record', join(folder, 'none', 'a.md'), ...server]);
    expect(code).toBe(1);
    expect(stderr).toContain('does not exist');
  });

  it('warns when secrets are written', async () => {
    const input = line({ id: 1, method: 'login', params: { password: 'hunter2' } });
    expect((await runTenon(['record', file, '--no-redact', ...server], { input })).stderr).toContain(
      'will contain secrets',
    );
    expect(readFileSync(file, 'utf8')).toContain('hunter2');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
