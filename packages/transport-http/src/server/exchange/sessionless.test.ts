import type { Exchange, Principal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { showsBy } from '../../../../../tooling/suite/shows.js';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, failing, result } from '../../../test/fake-application.js';
import { FakeService, opening, request, stateless } from '../../../test/fake-service.js';

const alone = (application?: FakeApplication) => new FakeService({ sessions: false }, application);

describe('without sessions', () => {
  it('answers initialize without a session id', async () => {
    const host = alone();
    const call = host.post(opening('2025-06-18'));
    expect(call).toMatchObject({ status: 200, json: { result: { protocolVersion: '2025-06-18' } } });
    expect(call.sent).not.toHaveProperty('mcp-session-id');
    expect(host.service.sessions).toBe(0);
    expect(host.application.last.isClosed).toBe(true);
  });

  it.each([
    [undefined, '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
  ])('handles a request with the version header %s as one of %s', (header, revision) => {
    showsBy(header, {
      undefined: '2026-07-28/basic/transports/streamable-http/version-header-absent-legacy',
    });
    const host = alone();
    const call = host.post(
      request(1, 'tools/list'),
      header === undefined ? {} : { 'mcp-protocol-version': header },
    );
    expect(call).toMatchObject({ status: 200, json: { id: 1 } });
    expect(host.application.assumed).toMatchObject([{ id: revision }]);
    expect(host.application.ends).toEqual([]);
  });

  it('answers a batch in the revision of its header', () => {
    const host = alone(new FakeApplication((value) => `[${result((value as unknown as unknown[])[0])}]`));
    const call = host.post([request(1, 'tools/list')], { 'mcp-protocol-version': '2025-03-26' });
    expect(call).toMatchObject({ status: 200, json: [{ id: 1 }] });
    expect(host.application.assumed).toMatchObject([{ id: '2025-03-26' }]);
    expect(host.application.ends).toEqual([]);
  });

  it('rejects an unsupported version', () => {
    const host = alone();
    const call = host.post(request(1, 'tools/list'), { 'mcp-protocol-version': '1999-01-01' });
    expect(call).toMatchObject({ status: 400, json: { id: 1, error: { code: -32022 } } });
    expect(host.application.ends).toEqual([]);
  });

  it('accepts a notification', () => {
    const call = alone().post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(call).toMatchObject({ status: 202, text: '' });
  });

  it('answers a rejected message with its status', () => {
    const application = new FakeApplication((_value, exchange) => {
      exchange.refused?.(400);
      return undefined;
    });
    expect(alone(application).post({ id: 1 }).status).toBe(400);
  });

  it('serves the stateless revision as usual', () => {
    const host = alone();
    expect(host.post(...stateless(1)).status).toBe(200);
    expect(host.application.ends).toEqual([]);
  });

  it.each(['GET', 'DELETE', 'PUT'])('does not allow %s', (method) => {
    showsBy(method, { GET: '2025-03-26/streamable-http/stream-or-405' });
    const call = alone().call({ method, headers: { 'mcp-session-id': 'x' } });
    expect(call).toMatchObject({ status: 405, sent: { allow: 'POST' } });
  });

  it('streams messages sent before the answer, and nothing outlives the stream', async () => {
    const kept: Exchange[] = [];
    let finish = () => {};
    const host = alone(
      new FakeApplication((value, exchange) => {
        kept.push(exchange);
        return new Promise((resolve) => (finish = () => resolve(result(value))));
      }),
    );
    const ada: Principal = { id: 'ada' };
    const call = host.post(request(1, 'tools/call'), {}, ada);
    expect(kept[0]?.facts).toMatchObject({ answersOnly: false, principal: ada });
    void kept[0]?.send('{"method":"notifications/progress"}');
    finish();
    await call.done();
    await settled();
    expect(call.streaming).toBe(true);
    expect(call.messages).toMatchObject([{ method: 'notifications/progress' }, { id: 1 }]);
    expect(call.events.every((event) => event.id === undefined)).toBe(true);
    await host.clock.advance(20_000);
    expect(host.clock.waiting).toEqual([]);
  });

  it.each([
    [-32601, 200],
    [-31001, 503],
  ])('answers error %i with status %i', (code, status) => {
    const call = alone(new FakeApplication((value, exchange) => failing(value, exchange, code))).post(
      request(1, 'tools/call'),
    );
    expect(call).toMatchObject({ status, json: { id: 1, error: { code } } });
  });

  it('ends requests that do not finish in time on drain, and cancels nothing', async () => {
    const kept: Exchange[] = [];
    const application = new FakeApplication((_value, exchange) => {
      kept.push(exchange);
      return new Promise(() => {});
    });
    const host = new FakeService({ sessions: false, limits: { drain: 1_000 } }, application);
    const call = host.post(request(1, 'tools/call'));
    const draining = host.service.drain();
    await host.clock.advance(1_000);
    await draining;
    expect(call).toMatchObject({ closed: true, status: 500 });
    expect(kept[0]?.gone).toBe(false);
  });

  it('keeps two requests separate', () => {
    const host = alone();
    host.post(request(1, 'a'));
    host.post(request(1, 'b'));
    expect(host.application.values).toHaveLength(2);
  });

  it('cancels nothing when the client disconnects', async () => {
    const kept: Exchange[] = [];
    const host = alone(
      new FakeApplication((_value, exchange) => {
        kept.push(exchange);
        return new Promise(() => {});
      }),
    );
    host.post(request(1, 'tools/call')).leave();
    expect(kept[0]?.gone).toBe(false);
    expect(kept[0]?.signal).toBeUndefined();
  });

  it('rejects requests while draining', async () => {
    const host = alone();
    await host.service.drain();
    expect(host.post(opening()).status).toBe(503);
    expect(host.post(request(1, 'tools/list')).status).toBe(503);
  });
});
