import { expect, onTestFinished, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { HttpPeer } from '../../test/http-peer.js';
import { latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import { createServer } from '../server.js';

const server = createServer({ name: 'test', version: '1' })
  .tool('quiet', {}, () => 'done')
  .tool('steps', {}, (_, ctx) => {
    for (const step of [0.25, 0.5, 1.75]) ctx.progress(step);
    return 'done';
  });

test.each([1.5, true, {}, []])(
  'a token that is neither a string nor an integer is refused: %j',
  async (progressToken) => {
    shows('2026-07-28/basic/patterns/progress/token-kind');
    const peer = await WirePeer.open(server, revision);
    const answer = await peer.request('tools/call', { name: 'steps' }, { progressToken });
    expect(answer.error?.code).toBe(-32602);
    expect(answer.error?.message).toContain('progressToken');
    expect(peer.received).toHaveLength(1);
  },
);

test.each([0, -1, '', 'abc', Number.MAX_SAFE_INTEGER])(
  'a token comes back as it was, with values that have fractions: %j',
  async (progressToken) => {
    const peer = await WirePeer.open(server, revision);
    await peer.request('tools/call', { name: 'steps' }, { progressToken });
    expect(peer.received.filter((one) => one.method !== undefined).map((one) => one.params)).toEqual(
      [0.25, 0.5, 1.75].map((progress) => ({ progressToken, progress })),
    );
  },
);

test('a handler that tells of none sends none, and its answer is JSON', async () => {
  shows('2026-07-28/basic/patterns/progress/none-sent');
  const serving = await serveHttp(server, { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  const peer = await HttpPeer.open(serving.url, { revision });
  const response = await peer.send('tools/call', { name: 'quiet', _meta: { progressToken: 1 } });
  expect(response.headers.get('content-type')).toBe('application/json');
  await response.text();
});
