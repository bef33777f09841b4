// A tool that takes long: clients with tasks receive a task, all others wait for the result.
import { setTimeout as delay } from 'node:timers/promises';
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { type CallToolResult, createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { tasks } from '@tenon/mcp-tasks/server';
import { z } from 'zod';

// #region server
const server = createServer({ name: 'studio', version: '1.0.0' }, { extensions: [tasks()] }).tool(
  'render',
  {
    input: z.object({ frames: z.number().int().positive() }),
    task: { support: 'allow', promoteAfter: 50, pollInterval: 100 },
  },
  async ({ frames }, ctx) => {
    for (let frame = 1; frame <= frames; frame++) {
      await delay(100, undefined, { signal: ctx.signal }); // rejects when the task is cancelled
      ctx.progress(frame, frames, `frame ${frame}`);
    }
    return `${frames} frames`;
  },
);
// #endregion

// #region plain
const client = await connectMemory(server, { info: { name: 'plain', version: '1.0.0' } });
const { content } = await client.callTool('render', { frames: 2 });
console.log('without tasks:', textOf(content));
await client.close();
// #endregion

// #region wire
const handler = toFetchHandler(server);
const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

interface Answer {
  readonly resultType: string;
  readonly taskId: string;
  readonly status: string;
  readonly pollIntervalMs: number;
  readonly result: CallToolResult;
}

async function request(method: string, name: string, params: object): Promise<Answer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const response = await handler(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    }),
  );
  return ((await response.json()) as { result: Answer }).result;
}

const created = await request('tools/call', 'render', { name: 'render', arguments: { frames: 3 } });
console.log('the call:', created.resultType, created.status);
let task = created;
while (task.status === 'working') {
  await delay(task.pollIntervalMs);
  task = await request('tasks/get', task.taskId, { taskId: task.taskId });
}
console.log('the task:', task.status, textOf(task.result.content));
// #endregion
await server.close();
