import { otherBounds } from '@tenon/foundation';
import { expect, onTestFinished, test } from 'vitest';
import { HttpPeer, messagesFrom, messagesOf } from '../../../test/http-peer.js';
import { latestStateless, WirePeer } from '../../../test/wire-peer.js';
import { serveHttp } from '../../http.js';
import { createServer, type Server } from '../../server.js';

const make = () =>
  createServer(
    { name: 'test', version: '1' },
    { limits: otherBounds({ listenStreamsPerPrincipal: 2 }), onError: () => undefined },
  ).tool('one', {}, () => '') as unknown as Server;

const filter = { notifications: { toolsListChanged: true } };

/** Opens a listen stream; gives the first message of it, and the way to end it. */
async function listen(peer: HttpPeer) {
  const response = await peer.send('subscriptions/listen', filter);
  if (response.headers.get('content-type') !== 'text/event-stream') {
    return { status: response.status, first: (await messagesOf(response))[0], end: async () => {} };
  }
  const messages = messagesFrom(response);
  const first = (await messages.next()).value;
  return { status: response.status, first, end: async () => void (await messages.return(undefined)) };
}

test.each([
  [
    'a principal',
    ({ header }: { header(name: string): string | undefined }) => ({ id: header('x-user') ?? '' }),
  ],
  ['an address', undefined],
])('listen streams of %s are bounded, and one that ended counts no more', async (_, authenticate) => {
  const server = make();
  const serving = await serveHttp(server, {
    limits: { drain: 100 },
    remoteAddress: ({ header }) => header('x-user'),
    ...(authenticate && { authenticate }),
  });
  onTestFinished(() => serving.close());
  const as = (user: string) =>
    new HttpPeer(serving.url, {
      revision: latestStateless,
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, 'x-user': user } }),
    });
  const first = await listen(as('ann'));
  const second = await listen(as('ann'));
  const refused = await listen(as('ann'));
  expect(refused.status).toBe(503);
  expect(refused.first?.error).toEqual({
    code: -31001,
    message: 'You hold 2 listen streams already; end one first.',
  });
  expect((await listen(as('bob'))).first?.method).toBe('notifications/subscriptions/acknowledged');
  await Promise.all([first.end(), second.end()]);
  for (let count = 0; count < 2; count++) {
    await expect
      .poll(async () => (await listen(as('ann'))).first?.method)
      .toBe('notifications/subscriptions/acknowledged');
  }
});

test('allows more streams on a single connection with an unknown caller', async () => {
  const peer = await WirePeer.open(make(), latestStateless);
  for (let count = 0; count < 5; count++) peer.send('subscriptions/listen', filter);
  const isAcknowledged = ({ method }: { method?: string }) => method?.endsWith('/acknowledged') === true;
  await expect.poll(() => peer.received.filter(isAcknowledged)).toHaveLength(5);
});
