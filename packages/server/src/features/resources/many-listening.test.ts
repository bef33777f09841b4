import { otherBounds } from '@tenon/foundation';
import { expect, test } from 'vitest';
import { latestStateless, WirePeer } from '../../../test/wire-peer.js';
import { createServer, type Server } from '../../server.js';

test('a connection with as many listen streams as there may be still has its calls answered', async () => {
  const server = createServer(
    { name: 'test', version: '1' },
    { limits: { inFlight: 5, ...otherBounds({ listenStreams: 20 }) } },
  ).tool('hello', {}, async () => 'Hello') as unknown as Server;
  const peer = await WirePeer.open(server, latestStateless);
  const listen = () => peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  for (let count = 0; count < 20; count++) listen();
  const refused = listen();
  expect((await peer.next(({ id }) => id === refused)).error?.code).toBe(-31001);
  const { result } = await peer.request('tools/call', { name: 'hello' });
  expect(result?.content?.[0]?.text).toBe('Hello');
});
