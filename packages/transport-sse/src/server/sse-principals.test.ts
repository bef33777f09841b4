import type { Principal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { HeldCall } from '../../test/held-call.js';
import { NotedApplication } from '../../test/noted-application.js';
import { SseMount } from '../server.js';

const issuer = 'https://one.example';
const ann = (more: Partial<Principal> = {}): Principal => ({ id: 'ann', issuer, ...more });
const lasting = (ms: number) => ann({ expiresAt: Date.now() + ms });

/** A mount without a network, one of its streams, and functions that post to it. */
function opened(principal: Principal | undefined) {
  const application = new NotedApplication();
  const mount = new SseMount(application);
  const stream = new HeldCall('GET', '/sse');
  mount.handle(stream, principal);
  const [, path = ''] = /data: (.*)\n/.exec(stream.sent[0] ?? '') ?? [];
  const post = (poster: Principal | undefined) => {
    const call = new HeldCall('POST', path);
    mount.handle(call, poster);
    call.arrive('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    return call.status;
  };
  return { application, stream, post };
}

describe('a session of one principal', () => {
  it('is not found by another', () => {
    const { post, application } = opened(ann());
    const others = [ann({ issuer: 'https://two.example' }), { id: 'ann' }, ann({ id: 'bob' }), undefined];
    expect(others.map(post)).toEqual([404, 404, 404, 404]);
    expect(application.end().receiver.values).toEqual([]);
    expect(post(ann())).toBe(202);
  });

  it('handles each message with the scopes of its own request', () => {
    const { post, application } = opened(ann({ scopes: ['read'] }));
    const seen: unknown[] = [];
    application.end().receiver.reply = (_, { facts }) => {
      seen.push(facts.principal?.scopes);
      return undefined;
    };
    post(ann({ scopes: ['read', 'write'] }));
    post(ann({ scopes: ['read'] }));
    expect(seen).toEqual([['read', 'write'], ['read']]);
  });

  it('uses the last principal of its client for notifications', () => {
    const { post, application } = opened(ann({ scopes: ['read'] }));
    const scopes = () => application.end().connection.facts.principal?.scopes;
    expect(scopes()).toEqual(['read']);
    post(ann({ scopes: ['read', 'write'] }));
    expect(scopes()).toEqual(['read', 'write']);
    post(ann({ id: 'bob', scopes: ['all'] }));
    expect(scopes()).toEqual(['read', 'write']);
  });
});

describe('the stream of a session', () => {
  it('ends when the token of its opening expires', async () => {
    const { application, stream } = opened(lasting(60_000));
    await application.clock.advance(52_500);
    expect(stream.closed).toBe(false);
    await application.clock.advance(7_500);
    await application.end().finished;
    expect(stream.closed).toBe(true);
  });

  it('lasts as long as its client sends valid tokens', async () => {
    const { application, stream, post } = opened(lasting(60_000));
    post(lasting(300_000));
    post(lasting(60_000));
    for (let step = 0; step < 38; step++) await application.clock.advance(7_500);
    expect(stream.closed).toBe(false);
    await application.clock.advance(15_000);
    await application.end().finished;
    expect(stream.closed).toBe(true);
  });

  it.each([
    ['the stream was opened', ann(), lasting(60_000)],
    ['a message was posted', lasting(60_000), ann()],
  ])('has no limit when the token that %s with does not expire', async (_title, first, next) => {
    const { application, stream, post } = opened(first);
    post(next);
    for (let step = 0; step < 80; step++) await application.clock.advance(7_500);
    expect(stream.closed).toBe(false);
  });
});
