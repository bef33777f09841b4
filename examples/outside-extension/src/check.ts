// Uses the extension over stdio and HTTP, with sessions and without.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { type Client, connect, RemoteError, type Target, textOf } from '@tenon/mcp-client';
import { serveHttp } from '@tenon/mcp-server/http';
import { review } from './client.js';
import { server } from './drafts.js';
import { decide, id } from './review.js';

const info = { name: 'reviewer', version: '1.0.0' };

async function reviewed(target: Target, revision: string): Promise<void> {
  const asked: string[] = [];
  const decisions: string[] = [];
  let arrived = () => {};
  const extension = review({
    approve: (tool, reason) => {
      asked.push(`${tool}: ${reason}`);
      return asked.length === 1;
    },
    onDecided: ({ tool, approved }) => {
      decisions.push(`${tool}: ${approved}`);
      arrived();
    },
  });
  const client = await connect(target, { info, revision, extensions: [extension] });
  assert.equal(client.revision, revision);
  assert.deepEqual(client.extension(id), {});
  const [tool] = await client.tools().all();
  assert.deepEqual(tool?._meta?.[id], { reason: 'Letters are read before they are sent' });

  const watch = await client.watch({ filters: { reviews: ['draft'] } }, () => {});
  const granted = revision === '2026-07-28' ? { filters: { reviews: ['draft'] } } : {};
  assert.deepEqual(watch.honoured, granted);
  const heard = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const approved = await client.callTool('draft', { to: 'Ada' });
  assert.equal(textOf(approved.content), 'Dear Ada');
  await heard;
  const rejected = await client.callTool('draft', { to: 'Bob' });
  assert.equal(rejected.isError, true);
  assert.deepEqual(asked, Array(2).fill('draft: Letters are read before they are sent'));
  assert.equal(decisions[0], 'draft: true');
  await assert.rejects(client.request(decide, { ticket: 'none', approved: true }), isNoTicket);
  await watch.close();
  await client.close();
}

async function unreviewed(target: Target, revision: string): Promise<void> {
  const client: Client = await connect(target, { info, revision });
  assert.equal(textOf((await client.callTool('draft', { to: 'Ada' })).content), 'Dear Ada');
  await client.close();
}

function isNoTicket(error: unknown): boolean {
  return error instanceof RemoteError && error.code === -32602;
}

const program = fileURLToPath(new URL('drafts.js', import.meta.url));
const serving = await serveHttp(server, { port: 0 });
const targets: readonly [name: string, target: Target][] = [
  ['standard streams', { command: process.execPath, args: [program, '--stdio'] }],
  ['HTTP', serving.url],
];
for (const [name, target] of targets) {
  for (const revision of ['2025-11-25', '2026-07-28']) {
    await reviewed(target, revision);
    await unreviewed(target, revision);
    console.log(
      `${name}, ${revision}: a method, a notification, a tool option, a result type and a saved call`,
    );
  }
}
await serving.close();
