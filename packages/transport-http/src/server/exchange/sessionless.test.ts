import type { Exchange, Principal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { FakeApplication, failing, result } from '../../../test/fake-application.js';
import { FakeService, opening, request, stateless } from '../../../test/fake-service.js';
import { settled } from '../../../test/manual-clock.js';

const alone = (application?: FakeApplication) => new FakeService({ sessions: false }, application);

describe('without sessions', () => {
  it('initialize works, and gives no id', async () => {
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
  ])('a request whose header says %s is one of %s', (header, revision) => {
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

  it('a version that is not spoken is refused', () => {
    const host = alone();
    const call = host.post(request(1, 'tools/list'), { 'mcp-protocol-version': '1999-01-01' });
    expect(call).toMatchObject({ status: 400, json: { id: 1, error: { code: -32022 } } });
    expect(host.application.ends).toEqual([]);
  });

  it('a message that is no request is accepted', () => {
    const call = alone().post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(call).toMatchObject({ status: 202, text: '' });
  });

  it('a message that is refused has its status', () => {
    const application = new FakeApplication((_value, exchange) => {
      exchange.refused?.(400);
      return undefined;
    });
    expect(alone(application).post({ id: 1 }).status).toBe(400);
  });

  it('the stateless revision is served as ever', () => {
    const host = alone();
    expect(host.post(...stateless(1)).status).toBe(200);
    expect(host.application.ends).toEqual([]);
  });

  it.each(['GET', 'DELETE', 'PUT'])('%s is not allowed', (method) => {
    const call = alone().call({ method, headers: { 'mcp-session-id': 'x' } });
    expect(call).toMatchObject({ status: 405, sent: { allow: 'POST' } });
  });

  it('makes a stream of what is sent ahead of the answer, and nothing outlives it', async () => {
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
  ])('answers a request that fails with %i with status %i', (code, status) => {
    const call = alone(new FakeApplication((value, exchange) => failing(value, exchange, code))).post(
      request(1, 'tools/call'),
    );
    expect(call).toMatchObject({ status, json: { id: 1, error: { code } } });
  });

  it('ends what does not finish in time when it drains, and cancels nothing', async () => {
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
    expect(call).toMatchObject({ closed: true, status: 503 });
    expect(kept[0]?.gone).toBe(false);
  });

  it('two requests never meet', () => {
    const host = alone();
    host.post(request(1, 'a'));
    host.post(request(1, 'b'));
    expect(host.application.values).toHaveLength(2);
  });

  it('that the client goes away cancels nothing', async () => {
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

  it('a drain refuses them', async () => {
    const host = alone();
    await host.service.drain();
    expect(host.post(opening()).status).toBe(503);
    expect(host.post(request(1, 'tools/list')).status).toBe(503);
  });
});
