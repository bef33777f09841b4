import { type Revision, revisions, type SessionError } from '@tenon/mcp-protocol';
import { revision20250326, revision20250618 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { Rig, type RigOptions } from '../../test/rig.js';
import { statelessEndpoint } from '../conversation/stateless-endpoint.js';

const result = (id: unknown, value: object = {}) => ({ jsonrpc: '2.0', id, result: value });
const failure = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'no' } });
const texts = (rig: Rig) => rig.errors.map(({ error }) => (error as SessionError).message);
const wheres = (rig: Rig) => rig.errors.map(({ where }) => where);

// Both ends, in each revision in which they send requests; `ping` and the like are answered with nothing.
const ends = revisions.flatMap((revision) => {
  const handshake = revision.lifecycle === 'handshake';
  const method = handshake ? 'ping' : 'server/discover';
  const client = { side: 'client', revision, method } as const;
  return handshake ? [client, { ...client, side: 'server' } as const] : [client];
});

function rigOf(end: { side: 'client' | 'server'; revision: Revision }, more: RigOptions = {}): Rig {
  const rig = new Rig({ side: end.side, revision: end.revision, ...more });
  return rig;
}

describe.each(ends.map((end) => ({ ...end, id: end.revision.id })))('a $side in $id', (end) => {
  const send = (rig: Rig, options = {}) => {
    const answer = rig.endpoint.request(end.method, {} as never, options);
    answer.catch(() => undefined);
    return answer;
  };

  test.each([
    ['never sent', 99, 'An answer with the id 99 matches no request'],
    ['a text', 'two', 'An answer with the id "two" matches no request'],
    ['null', null, 'An answer with no id matches no request'],
    ['absent', undefined, 'An answer with no id matches no request'],
  ])('reports an answer with an id that is %s', (_, id, message) => {
    const rig = rigOf(end);
    void send(rig);
    rig.hand(result(id));
    expect(rig.endpoint.pending).toBe(1);
    expect(texts(rig)).toEqual([`${message} that waits for one.`]);
    expect(wheres(rig)).toEqual(['response']);
  });

  test('reports an answer before any request was sent', () => {
    const rig = rigOf(end);
    rig.hand(failure(1));
    expect(wheres(rig)).toEqual(['response']);
  });

  test('reports a second answer to the same request, as a number and as a text', async () => {
    const rig = rigOf(end);
    const answer = send(rig);
    rig.hand(failure(1));
    await expect(answer).rejects.toMatchObject({ code: -32_603 });
    rig.hand(result(1));
    rig.hand(result('1'));
    expect(texts(rig)).toEqual([
      'An answer with the id 1 matches no request that waits for one.',
      'An answer with the id "1" matches no request that waits for one.',
    ]);
  });

  test('matches the text of its number, for an error and an answer that cannot be read as well', async () => {
    const rig = rigOf(end);
    const [failed, broken] = [send(rig), send(rig)];
    rig.hand(failure('1'));
    rig.hand({ jsonrpc: '2.0', id: '2', result: {}, error: { code: 1, message: 'm' } });
    await expect(failed).rejects.toMatchObject({ code: -32_603 });
    await expect(broken).rejects.toMatchObject({ reason: 'invalid-answer' });
    expect(rig.endpoint.pending).toBe(0);
    expect(wheres(rig)).toEqual([end.method]);
  });

  test('says nothing of a late answer to a request that timed out, was cancelled or could not be sent', async () => {
    showsBy(`${end.side} ${end.id}`, {
      'client 2024-11-05': '2024-11-05/basic/utilities/cancellation/races',
    });
    const rig = rigOf(end, { limits: { requestTimeout: 100 } });
    void send(rig);
    await rig.clock.advance(100);
    const stop = new AbortController();
    void send(rig, { signal: stop.signal });
    stop.abort();
    rig.connection.onSend = () => Promise.reject(new Error('broken'));
    await expect(send(rig)).rejects.toThrow('broken');
    expect(rig.endpoint.pending).toBe(0);
    rig.hand(result(2));
    rig.hand(result('1'));
    rig.hand(failure(3));
    expect(rig.errors).toEqual([]);
    rig.hand(result(2));
    expect(texts(rig)).toEqual(['An answer with the id 2 matches no request that waits for one.']);
  });

  test('remembers as many requests it gave up on as may wait, and excuses what it has forgotten', async () => {
    const rig = rigOf(end, { limits: { requestTimeout: 100, pending: 4 } });
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 4; count++) void send(rig);
      await rig.clock.advance(100);
    }
    for (let id = 12; id > 0; id--) rig.hand(result(id));
    expect(rig.errors).toEqual([]);
    for (const id of [0, -1, 12, 13]) rig.hand(result(id));
    expect(rig.errors).toHaveLength(4);
  });

  test('says nothing of answers that come while it closes', async () => {
    const rig = rigOf(end);
    const answer = send(rig);
    const closed = rig.endpoint.close();
    rig.hand(result(1));
    await Promise.allSettled([answer, closed]);
    expect(rig.errors).toEqual([]);
  });

  test('reports a flood of answers a few times, with their number', () => {
    const rig = rigOf(end);
    for (let count = 0; count < 10_000; count++) rig.hand(result(`${count}${'x'.repeat(900)}`));
    expect(rig.errors).toHaveLength(16 + 9);
    expect(texts(rig).at(-1)).toContain('8192 such answers have come so far.');
    for (const text of texts(rig)) expect(text.length).toBeLessThan(250);
  });

  test('reports a flood of errors for no id a few times', () => {
    const rig = rigOf(end);
    for (let count = 0; count < 100; count++) rig.hand(failure(null));
    expect(wheres(rig)).toEqual(Array.from({ length: 16 + 2 }, () => 'a response without id'));
  });
});

test('answers in a batch are matched and reported one by one', async () => {
  const rig = new Rig({ side: 'client', revision: revision20250326 });
  const answers = [rig.endpoint.request('ping', {}), rig.endpoint.request('ping', {})];
  rig.hand([result('2'), result(7), result(1)]);
  expect(await Promise.all(answers)).toEqual([{}, {}]);
  expect(wheres(rig)).toEqual(['ping', 'response']);
});

test('a progress token is matched as it was sent', () => {
  const rig = new Rig({ side: 'client', revision: revision20250618 });
  const seen: number[] = [];
  const onProgress = ({ progress }: { progress: number }) => seen.push(progress);
  rig.endpoint.request('tools/call', { name: 'x' }, { onProgress }).catch(() => undefined);
  const progressOf = (progressToken: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress: 1 },
  });
  rig.hand(progressOf('1'));
  expect(seen).toEqual([]);
  rig.hand(progressOf(1));
  expect(seen).toEqual([1]);
});

test('an end without connections reports answers too', () => {
  const { behaviour, connection, errors } = new Rig();
  const endpoint = statelessEndpoint(behaviour);
  expect(endpoint.receive(result(1), connection)).toBeUndefined();
  expect(
    endpoint.receive(result(1), { facts: { revision: revision20250618 }, send: () => undefined }),
  ).toBeUndefined();
  expect(errors.map(({ where }) => where)).toEqual(['response', 'response']);
});
