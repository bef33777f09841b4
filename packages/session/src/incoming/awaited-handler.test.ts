import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20250326, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, deferred, Held, modern, notification, Rig, type RigOptions, request } from '../../test/rig.js';

const failure = (text: string): UnknownObject => ({ content: [{ type: 'text', text }], isError: true });

function serve(handle: Held['handle'], more: object = {}, options: RigOptions = {}) {
  const requests = { 'tools/call': { handle, ...more } };
  return new Rig({ revision: revision20251125, handling: { time: 1_000 }, ...options, requests });
}

/** An endpoint with listen streams that a test ends. */
function listening(options: RigOptions = {}) {
  const held = new Held();
  const requests = { 'subscriptions/listen': held.handle };
  return { held, rig: new Rig({ handling: { time: 1_000 }, ...options, requests }) };
}

const listen = (id: number) => modern(id, 'subscriptions/listen', { notifications: {} });

describe('a handler that works for too long', () => {
  test('is answered for at once, has its signal aborted, and is not heard later', async () => {
    const held = new Held();
    const rig = serve(held.handle);
    const answer = rig.ask(request(1, 'tools/call', call()));
    const reasons: unknown[] = [];
    held.requests[0]?.signal.addEventListener('abort', ({ target }) =>
      reasons.push((target as AbortSignal).reason.message),
    );
    await rig.clock.advance(1_100);
    const message = 'tools/call was stopped: it took longer than 1 s.';
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: message } });
    expect(reasons).toEqual([message]);
    expect(rig.errors).toMatchObject([
      { error: { reason: 'timeout', message: message }, where: 'tools/call' },
    ]);
    held.finish();
    await settled();
    expect(rig.errors).toHaveLength(1);
    expect(rig.connection.sent).toEqual([]);
    expect(rig.endpoint.inFlight).toBe(0);
  });

  test('becomes a result with the tool name if the method has error results', async () => {
    const held = new Held();
    const rig = serve(held.handle, { failure, subject: () => 'Tool slow' });
    const answer = rig.ask(request(1, 'tools/call', call()));
    await rig.clock.advance(1_100);
    const text = 'Tool slow was stopped: it took longer than 1 s.';
    expect((await answer).result).toEqual({ content: [{ type: 'text', text }], isError: true });
  });

  test('counts as working until it ends, while its id is free', async () => {
    const held = new Held();
    const rig = serve(held.handle, {}, { limits: { inFlight: 2 } });
    const first = rig.ask(request(1, 'tools/call', call()));
    await rig.clock.advance(1_100);
    await first;
    expect(rig.endpoint.inFlight).toBe(1);
    const again = rig.ask(request(1, 'tools/call', call()));
    expect((await rig.ask(request(2, 'tools/call', call()))).error?.code).toBe(-31_001);
    held.fail(new Error('too late'));
    await settled();
    expect(rig.endpoint.inFlight).toBe(1);
    held.finish(1);
    expect((await again).result).toBeDefined();
    expect([rig.endpoint.inFlight, rig.errors.length]).toEqual([0, 1]);
  });

  test('says nothing after the answer', async () => {
    const held = new Held();
    const rig = serve(held.handle);
    const answer = rig.ask(request(1, 'tools/call', call({ progressToken: 'p' })));
    await rig.clock.advance(1_100);
    await answer;
    void held.requests[0]?.progress(1);
    void held.requests[0]?.notify('notifications/message', { level: 'info', data: 'late' });
    expect(rig.connection.sent).toEqual([]);
  });

  test('ends without an answer when its request was cancelled', async () => {
    const held = new Held();
    const rig = serve(held.handle);
    const answer = rig.deliver(request(1, 'tools/call', call()));
    rig.hand(notification('notifications/cancelled', { requestId: 1 }));
    await rig.clock.advance(1_100);
    expect(await answer).toBeUndefined();
    expect(rig.errors).toEqual([]);
  });

  test('is stopped in the middle of middleware too', async () => {
    const never = deferred();
    const rig = serve(
      new Held().handle,
      {},
      { handling: { time: 1_000 }, middleware: [() => never.promise] },
    );
    const answer = rig.ask(request(1, 'tools/call', call()));
    await rig.clock.advance(1_100);
    expect((await answer).error?.code).toBe(-32_603);
  });

  test('may do so where that is what it is for', async () => {
    const { rig, held } = listening();
    const answer = rig.ask(listen(1));
    await rig.clock.advance(60_000);
    held.finish(0, {});
    expect((await answer).result).toBeDefined();
  });
});

describe('a handler of a cancelled request', () => {
  test('blocks no answer, and counts as in flight until it ends', async () => {
    const held = new Held();
    const rig = serve(held.handle, {}, { limits: { inFlight: 1 } });
    const answer = rig.deliver(request(1, 'tools/call', call()));
    rig.hand(notification('notifications/cancelled', { requestId: 1 }));
    expect(await answer).toBeUndefined();
    expect(rig.endpoint.inFlight).toBe(1);
    expect((await rig.ask(request(2, 'tools/call', call()))).error?.code).toBe(-31_001);
    held.finish();
    await settled();
    expect(rig.endpoint.inFlight).toBe(0);
    expect(rig.connection.sent).toEqual([]);
    expect(rig.errors).toEqual([]);
  });

  test('holds up no other answer of its batch', async () => {
    const held = new Held();
    const rig = serve(held.handle, {}, { revision: revision20250326 });
    const answer = rig.deliver([request(1, 'tools/call', call()), request(2, 'tools/call', call())]);
    held.finish(1);
    rig.hand(notification('notifications/cancelled', { requestId: 1 }));
    expect(JSON.parse((await answer) ?? '')).toMatchObject([{ id: 2, result: {} }]);
  });

  test('does not delay the end of the connection', async () => {
    const held = new Held();
    const rig = serve(held.handle);
    const answer = rig.deliver(request(1, 'tools/call', call()));
    rig.endpoint.closed();
    expect(await answer).toBeUndefined();
  });
});

test('time in which the peer is asked does not count', async () => {
  const rig = serve(async (incoming) => {
    await incoming.ask('roots/list', {} as never);
    return { content: [] };
  });
  const answer = rig.ask(request(1, 'tools/call', call()));
  await rig.clock.advance(50_000);
  rig.hand({ jsonrpc: '2.0', id: rig.connection.last.id, result: { roots: [] } });
  expect((await answer).result).toBeDefined();
});

test('a handler that answers at once is not looked at', () => {
  const rig = serve((() => ({ content: [] })) as never);
  rig.hand(request(1, 'tools/call', call()));
  expect(rig.clock.waiting).toEqual([]);
  expect(rig.behaviour.handling?.deadlines.size).toBe(0);
});

describe.each([
  ['a session', revision20251125, request],
  ['the stateless revision', revision20260728, modern],
] as const)('a result that is too large in %s', (_, revision, send) => {
  const large = { content: [{ type: 'text', text: 'x'.repeat(1_000) }] };
  const limited = { revision, handling: { resultSize: 1_000 } };

  test('is not sent: the error says how large it was', async () => {
    const rig = serve((() => large) as never, {}, limited);
    const { error, result } = await rig.ask(send(1, 'tools/call', call()));
    expect(result).toBeUndefined();
    expect(error?.code).toBe(-32_603);
    expect(error?.message).toMatch(
      /^tools\/call gave a result of 1\d\d\d characters, and at most 1000 can be sent: ask for less of it\.$/,
    );
    expect(rig.errors).toMatchObject([{ error: { reason: 'limit' }, where: 'tools/call' }]);
  });

  test('becomes a result if the method has error results, for sync and async handlers', async () => {
    const held = new Held();
    const rig = serve(held.handle, { failure, subject: () => 'Tool big' }, limited);
    const answer = rig.ask(send(1, 'tools/call', call()));
    held.finish(0, large);
    const { result } = await answer;
    expect(result?.isError).toBe(true);
    expect(JSON.stringify(result)).toContain('Tool big gave a result of 1');
  });

  test('leaves others alone', async () => {
    const rig = serve((() => ({ content: [{ type: 'text', text: 'x'.repeat(800) }] })) as never, {}, limited);
    expect((await rig.ask(send(1, 'tools/call', call()))).result).toBeDefined();
  });
});

test('what lasted leaves no place behind once it has ended', async () => {
  const [listens, calls] = [new Held(), new Held()];
  const requests = { 'subscriptions/listen': listens.handle, 'tools/call': calls.handle };
  const rig = new Rig({ limits: { inFlight: 2 }, requests });
  const ended = [1, 2, 3].map((id) => rig.ask(listen(id)));
  for (const index of [0, 1, 2]) listens.finish(index, {});
  await Promise.all(ended);
  const answers = [4, 5].map((id) => rig.ask(modern(id, 'tools/call', call())));
  expect((await rig.ask(modern(6, 'tools/call', call()))).error?.code).toBe(-31_001);
  for (const index of [0, 1]) calls.finish(index);
  for (const { result } of await Promise.all(answers)) expect(result).toBeDefined();
});

test('what lasts for as long as the peer wants takes no place from others', async () => {
  const { rig, held } = listening({ limits: { inFlight: 2 } });
  const answers = [1, 2, 3, 4].map((id) => rig.ask(listen(id)));
  expect(rig.endpoint.inFlight).toBe(4);
  for (const index of [0, 1, 2, 3]) held.finish(index, {});
  for (const { result } of await Promise.all(answers)) expect(result).toBeDefined();
  expect(rig.endpoint.inFlight).toBe(0);
});
