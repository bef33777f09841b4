import { otherBounds } from '@tenon/foundation';
import { MetaKey } from '@tenon/mcp-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { HttpPeer, messagesFrom } from '../../test/http-peer.js';
import { latestStateless as revision } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const acknowledged = 'notifications/subscriptions/acknowledged';
const everything = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['a://a'],
};

const full = (limits = {}) =>
  createServer(info, { limits })
    .tool('chat', {}, (_, ctx) => {
      ctx.log('emergency', 'of the call');
      ctx.progress(1);
      return 'done';
    })
    .prompt('p', {}, () => 'x')
    .resource('a://a', {}, () => 'x');

async function listening(server = full()) {
  const serving = await serveHttp(server, { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  const peer = await HttpPeer.open(serving.url, { revision });
  const listen = async (notifications: object, _meta = {}) => {
    const response = await peer.send('subscriptions/listen', { notifications, _meta });
    return { messages: messagesFrom(response) };
  };
  return { serving, server, peer, listen };
}

test('a stream over HTTP receives only the changes in its filter', async () => {
  shows(
    '2026-07-28/basic/patterns/subscriptions/only-requested',
    '2026-07-28/basic/patterns/subscriptions/omitted-field',
  );
  const { server, serving, listen } = await listening();
  const { messages } = await listen({ resourcesListChanged: true });
  const heard: unknown[] = [];
  for await (const { method, result } of messages) {
    heard.push(method ?? result?.resultType);
    if (method === acknowledged) {
      server.tool('new', {}, () => 'x');
      server.prompt('new', {}, () => 'x');
      server.resource('a://new', {}, () => 'x');
      server.resourceUpdated('a://a');
    } else if (method !== undefined) void serving.close();
  }
  expect(heard).toEqual([acknowledged, 'notifications/resources/list_changed', 'complete']);
});

test('sends no log messages and progress of calls on listen streams over HTTP', async () => {
  shows(
    '2026-07-28/basic/transports/streamable-http/not-on-listen-stream',
    '2026-07-28/server/utilities/logging/not-on-other-streams',
  );
  const { server, serving, peer, listen } = await listening();
  // Not even a level of its own makes a listen stream carry them.
  const { messages } = await listen(everything, { [MetaKey.logLevel]: 'debug', progressToken: 0 });
  const heard: unknown[] = [];
  for await (const { method, result } of messages) {
    heard.push(method ?? result?.resultType);
    if (heard.length > 1) continue;
    const asked = { [MetaKey.logLevel]: 'debug', progressToken: 1 };
    const own = await peer.messages('tools/call', { name: 'chat', _meta: asked });
    expect(own.map((one) => one.method)).toEqual([
      'notifications/message',
      'notifications/progress',
      undefined,
    ]);
    server.log('emergency', 'of no call');
    void serving.close();
  }
  expect(heard).toEqual([acknowledged, 'complete']);
});

test('a stream over HTTP ends with its connection and is no longer counted', async () => {
  shows(
    '2026-07-28/basic/patterns/subscriptions/client-ends',
    '2026-07-28/basic/patterns/subscriptions/transport-ends',
  );
  const { peer, listen } = await listening(full(otherBounds({ listenStreams: 1 })));
  const { messages } = await listen(everything);
  await messages.next();
  expect((await peer.request('subscriptions/listen', { notifications: everything })).error?.code).toBe(
    -31001,
  );
  await messages.return(undefined);
  for (;;) {
    const again = await listen({ toolsListChanged: true });
    const first = (await again.messages.next()).value;
    if (first?.method === acknowledged) return;
    // The server has yet to see that the connection is gone.
    expect(first?.error?.code).toBe(-31001);
  }
});
