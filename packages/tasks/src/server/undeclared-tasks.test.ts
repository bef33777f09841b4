import { createServer } from '@tenon/mcp-server';
import { expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { connectPeer, core, type TaskServer, transports } from '../../test/task-servers.js';

it.each(transports)(
  'a server without the extension ignores the task of a call, over %s',
  async (transport) => {
    shows('2025-11-25-tasks/tasks/undeclared-ignored');
    const server = createServer({ name: 'test', version: '1' }).tool('plain', {}, () => 'plain');
    onTestFinished(() => server.close());
    const peer = await connectPeer(server as unknown as TaskServer, core, { transport });
    const { result } = await peer.request('tools/call', {
      name: 'plain',
      arguments: {},
      task: { ttl: 5_000 },
    });
    expect(result).toEqual({ isError: false, content: [{ type: 'text', text: 'plain' }] });
    expect(peer.received[0]?.result?.capabilities).not.toHaveProperty('tasks');
  },
);
