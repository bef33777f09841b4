import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { record } from './record.js';
import { replay } from './replay.js';

const info = { name: 'test', version: '1.0.0' };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-attempt-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('leaves out requests that the transport could not deliver', async () => {
  const revisions = ['2025-11-25'];
  const serving = await serveHttp(
    createServer(info, { revisions }).tool('hello', {}, () => 'hello'),
    { port: 0 },
  );
  const file = join(folder, 'session.md');
  const client = await connect(record(httpTarget(serving.url), file), { info });
  await client.callTool('hello', {});
  await client.close();
  await serving.close();
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('"initialize"');
  expect(text).not.toContain('server/discover');
  // The recorded server rejects the probe that was left out.
  const offline = await connect(replay(file).target, { info });
  expect(await offline.callTool('hello', {})).toMatchObject({ content: [{ text: 'hello' }] });
  await offline.close();
});

it('records no connection when no request could be delivered', async () => {
  const silent = createHttpServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const file = join(folder, 'session.md');
  const connecting = connect(record(httpTarget(`http://127.0.0.1:${port}/mcp`), file), { info });
  await expect(connecting).rejects.toThrow();
  silent.close();
  expect(readFileSync(file, 'utf8')).not.toContain('## Connection');
});
