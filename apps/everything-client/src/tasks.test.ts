import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createServer, ErrorCode, RpcError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { tasks } from '@tenon/mcp-tasks/server';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** A server with the tools of the scenario, and the tools with an aborted handler. */
async function served() {
  const aborted: string[] = [];
  const task = { support: 'always', pollInterval: 20 } as const;
  const server = createServer({ name: 'suite', version: '1' }, { extensions: [tasks()] })
    .tool('quick_task', { task }, () => 'done')
    .tool('sync_echo', {}, () => 'done')
    .tool('failing_task', { task }, () => {
      throw new RpcError(ErrorCode.internalError, 'broken');
    })
    .tool('cancel_task', { task }, async (_input, ctx) => {
      await once(ctx.signal, 'abort');
      aborted.push('cancel_task');
      return 'late';
    });
  return { aborted, serving: await serveHttp(server, { port: 0 }) };
}

it.each(['2025-11-25', '2026-07-28'])('plays the scenario of tasks in %s', async (revision) => {
  const { aborted, serving } = await served();
  const env = { PATH: process.env.PATH ?? '', MCP_CONFORMANCE_PROTOCOL_VERSION: revision };
  const child = spawn(process.execPath, [main, serving.url, '--scenario', 'tasks-client-lifecycle'], { env });
  const said = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  await serving.close();
  expect(said).toEqual(['done\n', '', [0, null]]);
  expect(aborted).toEqual(['cancel_task']);
});
