import { connect, type Dialer } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import type { Connection } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { FakeClock } from '@tenon/mcp-testing';
import { expect, test } from 'vitest';

/** A server behind a pipe that is not read at first, like a program that is loading. */
function unread(target: Dialer): { target: Dialer; sent: string[]; read(): void } {
  const sent: string[] = [];
  const held: (() => void)[] = [];
  let reads = false;
  const open = async (): Promise<Connection> => {
    const connection = await target.open();
    const send = connection.send.bind(connection);
    connection.send = (frame, envelope) => {
      sent.push((JSON.parse(frame) as { method: string }).method);
      if (reads) return send(frame, envelope);
      held.push(() => void send(frame, envelope));
      return undefined;
    };
    return connection;
  };
  const read = () => {
    reads = true;
    for (const frame of held.splice(0)) frame();
  };
  return { target: { ...target, open, restartable: true }, sent, read };
}

test.each([
  ['of both kinds', undefined, '2026-07-28', ['server/discover', 'initialize', 'tools/call']],
  [
    'of the older kind',
    ['2025-06-18'],
    '2025-06-18',
    ['server/discover', 'initialize', 'notifications/initialized', 'tools/call'],
  ],
])(
  'a server %s that is slow to start is spoken to in its newest revision',
  async (...[, revisions, newest, heard]) => {
    const server = createServer({ name: 'slow', version: '1' }, revisions && { revisions });
    let calls = 0;
    server.tool('count', {}, () => String(++calls));
    const clock = new FakeClock();
    const pipe = unread(memoryTarget(server));
    const reported: unknown[] = [];
    const connecting = connect(pipe.target, {
      info: { name: 'client', version: '1' },
      clock,
      onError: (error) => reported.push(error),
    });
    await clock.advance(12_000);
    expect(pipe.sent).toEqual(['server/discover', 'initialize']);
    pipe.read();
    const client = await connecting;
    expect(client.revision).toBe(newest);
    expect((await client.callTool('count')).content).toEqual([{ type: 'text', text: '1' }]);
    expect(pipe.sent).toEqual(heard);
    expect(reported).toEqual([]);
    await client.close();
  },
);
