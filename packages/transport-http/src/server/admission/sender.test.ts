import type { Principal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, result } from '../../../test/fake-application.js';
import { FakeService, request, stateless } from '../../../test/fake-service.js';

/** The principal Ada, until the expiry of the token. */
const ada = (ms: number | undefined): Principal => ({
  id: 'ada',
  ...(ms !== undefined && { expiresAt: Date.now() + ms }),
});
const tell = (host: FakeService, n: number) => host.application.last.tell('changed', { n });

describe('the stream of a GET', () => {
  it('ends when its token expires, and the session stays', async () => {
    const host = new FakeService();
    const session = host.open(undefined, ada(60_000));
    const stream = host.get(session, ada(60_000));
    tell(host, 1);
    await host.clock.advance(52_000);
    expect(stream.closed).toBe(false);
    await host.clock.advance(15_000);
    expect(stream.closed).toBe(true);
    tell(host, 2);
    expect(host.post(request(1, 'tools/call'), session, ada(60_000)).status).toBe(200);
    const next = host.get({ ...session, 'last-event-id': '0.1' }, ada(600_000));
    await settled();
    expect(next.messages.map(({ params }) => params?.n)).toEqual([2]);
    await host.clock.advance(120_000);
    expect(next.closed).toBe(false);
  });

  it.each([
    ['that is resumed', (session: object) => ({ ...session, 'last-event-id': '0.1' })],
    ['that is replayed', (session: object) => ({ ...session, 'last-event-id': '0.0' })],
  ])('%s also ends', async (_title, headers) => {
    const host = new FakeService();
    const session = host.open(undefined, ada(undefined));
    host.get(session, ada(undefined)).leave();
    tell(host, 1);
    const stream = host.get(headers(session) as never, ada(30_000));
    await host.clock.advance(29_000);
    expect(stream.closed).toBe(false);
    await host.clock.advance(15_000);
    expect(stream.closed).toBe(true);
  });

  it.each([3_600_000, Number.POSITIVE_INFINITY])(
    'ends when the token expires, with a keep-alive every %d ms',
    async (keepAlive) => {
      const host = new FakeService({ limits: { keepAlive } });
      const session = host.open(undefined, ada(60_000));
      const stream = host.get(session, ada(60_000));
      await host.clock.advance(70_000);
      expect([stream.closed, stream.text]).toEqual([true, expect.not.stringContaining(':\n')]);
    },
  );

  it('stays open if the token has no known expiry', async () => {
    const host = new FakeService();
    const session = host.open(undefined, ada(undefined));
    const stream = host.get(session, ada(undefined));
    await host.clock.advance(600_000);
    expect(stream.closed).toBe(false);
  });

  it('is not found by another principal with the same session id', () => {
    const host = new FakeService();
    const session = host.open(undefined, { id: 'ada', issuer: 'https://one.example' });
    const others = [{ id: 'ada' }, { id: 'ada', issuer: 'https://two.example' }, { id: 'bob' }, undefined];
    for (const other of others) {
      expect(host.get(session, other).status).toBe(404);
      expect(host.get({ ...session, 'last-event-id': '0.1' }, other).status).toBe(404);
      expect(host.post(request(1, 'tools/call'), session, other).status).toBe(404);
      expect(host.delete(session, other).status).toBe(404);
    }
    expect(host.get(session, { id: 'ada', issuer: 'https://one.example', scopes: ['more'] }).status).toBe(
      200,
    );
  });
});

describe('a request outside sessions', () => {
  /** An endpoint with long requests, which end in good order when the endpoint drains. */
  function lasting(ends: boolean, keepAlive = 15_000) {
    const application = new FakeApplication(
      (value, exchange) =>
        new Promise((resolve) => {
          void exchange.send('{"jsonrpc":"2.0","method":"begun"}');
          if (ends) exchange.onEnding?.(() => resolve(result(value, { ended: true })));
        }),
    );
    return new FakeService({ limits: { keepAlive } }, application);
  }

  it('that listens ends when the token expires, even with a long keep-alive interval', async () => {
    const host = lasting(true, 3_600_000);
    const stream = host.post(...stateless(1), ada(60_000));
    await host.clock.advance(70_000);
    expect(stream.closed).toBe(true);
  });

  it('that listens ends with its answer when the token expires', async () => {
    const host = lasting(true);
    const stream = host.post(...stateless(1), ada(60_000));
    await host.clock.advance(52_000);
    expect(stream.closed).toBe(false);
    await host.clock.advance(15_000);
    expect(stream.closed).toBe(true);
    expect(stream.messages.at(-1)?.result).toEqual({ ended: true });
  });

  it('that runs a handler continues after the token expired', async () => {
    const host = lasting(false);
    const stream = host.post(...stateless(1), ada(60_000));
    await host.clock.advance(600_000);
    expect(stream.closed).toBe(false);
  });
});
