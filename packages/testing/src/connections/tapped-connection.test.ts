import type { Connection, Receiver } from '@tenon/mcp-protocol';
import { memoryPair } from '@tenon/mcp-session/memory';
import { expect, test } from 'vitest';
import { faulty } from '../index.js';
import { TappedConnection } from './tapped-connection.js';

test.each<[string, (inner: Connection) => Connection]>([
  ['tapped', (inner) => new TappedConnection(inner, 'client', { frame: () => {} })],
  ['faulty', (inner) => faulty(inner, {})],
])('a %s connection passes on the id of an oversized response', (_, around) => {
  const [inner] = memoryPair();
  let delivered: Receiver | undefined;
  inner.start = (receiver) => {
    delivered = receiver;
  };
  const heard: unknown[] = [];
  around(inner).start({
    receive: () => undefined,
    malformed: (reason, _exchange, unread) => {
      heard.push([reason, unread]);
      return undefined;
    },
    closed: () => {},
  });
  const unread = { kind: 'response', id: 7 } as const;
  delivered?.malformed('too long', inner, unread);
  expect(heard).toEqual([['too long', unread]]);
});
