import type { Guard, Principal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeCall, type FakeRequest } from '../../../test/fake-call.js';
import { FakeGuard } from '../../../test/fake-guard.js';
import { RequestGuard } from './request-guard.js';
import type { RequestGuardOptions } from './request-guard-options.js';

const host = { host: 'localhost' };
const boom = new Error('secret detail');

/** A request guard with a guard, and the results of its calls. */
function guarded(guard: Guard = new FakeGuard(), options: RequestGuardOptions = {}) {
  const errors: unknown[] = [];
  const entered: (Principal | undefined)[] = [];
  const requestGuard = new RequestGuard(options, (...reported) => errors.push(reported)).guard(guard);
  const come = (request: FakeRequest = {}) => {
    const call = new FakeCall({ ...request, headers: { ...host, ...request.headers } });
    requestGuard.admit(call, (principal) => entered.push(principal));
    return call;
  };
  return { requestGuard, guard, come, entered, errors };
}

/** A guard with a given result. */
function answering(admit: () => unknown): Guard {
  return Object.assign(new FakeGuard(), { admit }) as Guard;
}

describe('a request guard with a guard', () => {
  it('admits a caller synchronously if the guard answers synchronously', () => {
    const { come, entered, guard } = guarded();
    const call = come({ headers: { authorization: 'ada' } });
    expect(entered).toEqual([{ id: 'ada' }]);
    expect(call.guard?.demand(['a'], { id: 'ada' })).toEqual(guard.demand(['a'], { id: 'ada' }));
  });

  it('adds the headers of the guard to the answer, such as the next nonce', async () => {
    const admitted = { principal: { id: 'ada' }, headers: { 'dpop-nonce': 'n-2' } };
    for (const admit of [() => admitted, async () => admitted]) {
      const { come, entered } = guarded(answering(admit));
      const call = come();
      await settled();
      call.send(200, {}, 'told');
      expect([entered, call.sent['dpop-nonce']]).toEqual([[{ id: 'ada' }], 'n-2']);
    }
  });

  it.each([
    { principal: { id: 'ada' }, headers: { 'dpop-nonce': 'a\r\nset-cookie: b' } },
    { principal: { id: 'ada' }, headers: { 'dpop nonce': 'a' } },
    { principal: { status: 401 }, headers: {} },
    { principal: undefined, headers: {} },
    { status: 401, headers: { 'www-authenticate': 'Bearer realm="\u2026"' } },
    { status: 42 },
  ])('ignores %j, which cannot be sent', async (odd) => {
    for (const admit of [() => odd, async () => odd]) {
      const { come, entered, errors } = guarded(answering(admit));
      const call = come();
      await settled();
      expect([call.status, entered, errors]).toEqual([500, [], [[expect.any(TypeError), 'guard']]]);
    }
  });

  it('reports an error of the demand for scopes to the operator', () => {
    const demanding = (refusal: object) => Object.assign(new FakeGuard(), { demand: () => refusal }) as Guard;
    const ada = { authorization: 'ada' };
    const failed = guarded(demanding({ status: 403, cause: boom }));
    expect(failed.come({ headers: ada }).guard?.demand(['a'], { id: 'ada' })).toMatchObject({ status: 403 });
    expect(failed.errors).toEqual([[boom, 'authorization']]);
    const odd = guarded(demanding({ status: 403, headers: { 'www-authenticate': 'a\nb' } }));
    expect(() => odd.come({ headers: ada }).guard?.demand(['a'], { id: 'ada' })).toThrow(TypeError);
  });

  it('admits a caller if the guard answers asynchronously', async () => {
    const { come, entered } = guarded(answering(async () => ({ id: 'ada' })));
    come();
    expect(entered).toEqual([]);
    await settled();
    expect(entered).toEqual([{ id: 'ada' }]);
  });

  it.each(['POST', 'GET', 'DELETE', 'PUT', 'OPTIONS'])('rejects a %s of any other caller', (method) => {
    const { come, entered } = guarded();
    const call = come({ method });
    expect(call).toMatchObject({ status: 401, sent: { 'www-authenticate': 'Fake' }, bodyReads: 0 });
    expect(entered).toEqual([]);
  });

  it('shows the guard the method, path, query and headers, whatever the case of their names', () => {
    const guard = new FakeGuard();
    guarded(guard).come({ url: '/mcp?a=1', headers: { authorization: 'ada' } });
    const [asked] = guard.asked;
    expect([asked?.method, asked?.url, asked?.header('Authorization')]).toEqual(['POST', '/mcp?a=1', 'ada']);
  });

  it.each([undefined, null, {}, 'ada', true, { id: 5 }])(
    'rejects %j as the result of a guard',
    async (odd) => {
      for (const admit of [() => odd, async () => odd]) {
        const { come, entered, errors } = guarded(answering(admit));
        const call = come();
        await settled();
        expect(call.status).toBe(500);
        expect(entered).toEqual([]);
        expect(errors).toEqual([[expect.any(TypeError), 'guard']]);
      }
    },
  );

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw boom;
      },
    ],
    ['rejects', () => Promise.reject(boom)],
  ])(
    'admits no caller when the guard %s, and reports the error only to the operator',
    async (_title, admit) => {
      const { come, entered, errors } = guarded(answering(admit));
      const call = come();
      await settled();
      expect([call.status, entered, errors]).toEqual([500, [], [[boom, 'guard']]]);
      expect(call.text).not.toContain('secret');
    },
  );

  it('reports the cause of a refusal only to the operator', () => {
    const refusal = { status: 503, reason: 'Later.', headers: { 'retry-after': '5' }, cause: boom };
    const { come, errors } = guarded(answering(() => refusal));
    const call = come();
    expect(call).toMatchObject({ status: 503, sent: { 'retry-after': '5' } });
    expect(call.text).not.toContain('secret');
    expect(errors).toEqual([[boom, 'authorization']]);
  });

  it('admits no caller that has disconnected meanwhile', async () => {
    let answer = (_: unknown) => {};
    const { come, entered } = guarded(answering(() => new Promise((resolve) => (answer = resolve))));
    come().leave();
    answer({ id: 'ada' });
    await settled();
    expect(entered).toEqual([]);
  });

  it('does not authenticate a preflight request', () => {
    const guard = new FakeGuard();
    const { come } = guarded(guard, { cors: true });
    const origin = 'http://localhost:5173';
    const call = come({ method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
    expect([call.status, guard.asked.length]).toEqual([204, 0]);
  });

  it('does not call the guard for a rejected host or origin', () => {
    const guard = new FakeGuard();
    const { come } = guarded(guard);
    const foreign = [{ host: 'evil.example' }, { origin: 'https://evil.example' }];
    expect(foreign.map((headers) => come({ headers }).status)).toEqual([403, 403]);
    expect(guard.asked).toEqual([]);
  });
});

describe('setting a guard', () => {
  it('is possible after the server has started', () => {
    const serverGuard: { guard?: Guard } = {};
    const requestGuard = new RequestGuard({}, () => undefined, serverGuard);
    const come = () => {
      const call = new FakeCall({ headers: host });
      let entered = false;
      requestGuard.admit(call, () => {
        entered = true;
      });
      return [entered, call.status];
    };
    expect(come()).toEqual([true, undefined]);
    serverGuard.guard = new FakeGuard();
    expect(come()).toEqual([false, 401]);
  });

  it('takes precedence over authenticate, and is rejected beside it if both are known', () => {
    const guard = new FakeGuard();
    const serverGuard: { guard?: Guard } = {};
    const authenticate = () => ({ id: 'everybody' });
    const requestGuard = new RequestGuard({ authenticate }, () => undefined, serverGuard);
    expect(() => requestGuard.guard(guard)).toThrow(/leave authenticate out/);
    serverGuard.guard = guard;
    expect(() => new RequestGuard({ authenticate }, () => undefined, serverGuard)).toThrow(
      /leave authenticate out/,
    );
    const call = new FakeCall({ headers: host });
    requestGuard.admit(call, () => expect.unreachable());
    expect(call.status).toBe(401);
  });

  it('is possible only once', () => {
    const guard = new FakeGuard();
    const requestGuard = new RequestGuard({}, () => undefined, { guard });
    expect(() => requestGuard.guard(new FakeGuard())).toThrow(/a guard already/);
    expect(() => guarded(guard).requestGuard.guard(guard)).toThrow(/a guard already/);
  });

  it.each([
    undefined,
    null,
    {},
    { admit: () => undefined },
    Object.assign(new FakeGuard(), { documents: {} }),
  ])('rejects %j', (odd) => {
    expect(() => new RequestGuard({}, () => undefined).guard(odd as never)).toThrow(/an object with admit/);
  });
});

describe('a document of a guard', () => {
  const url = '/.well-known/known';

  it.each(['GET', 'HEAD'])('answers %s of any caller, including pages of any origin', (method) => {
    const { come, guard } = guarded();
    const call = come({ method, url, headers: { origin: 'https://anywhere.example' } });
    expect(call).toMatchObject({ status: 200, text: '{"known":true}' });
    expect(call.sent).toEqual({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    });
    expect((guard as FakeGuard).asked).toEqual([]);
  });

  it('is found with any query', () => {
    expect(guarded().come({ method: 'GET', url: `${url}?x=1` }).status).toBe(200);
  });

  it('answers the preflight request of a client with a version header', () => {
    const call = guarded().come({ method: 'OPTIONS', url, headers: { origin: 'https://anywhere.example' } });
    expect(call).toMatchObject({ status: 204, text: '' });
    expect(call.sent).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    });
  });

  it('is read-only', () => {
    const call = guarded().come({ method: 'POST', url });
    expect(call).toMatchObject({ status: 405, sent: { allow: 'GET, HEAD, OPTIONS' } });
  });

  it('is not served under a foreign host name', () => {
    const call = guarded().come({ method: 'GET', url, headers: { host: 'evil.example' } });
    expect(call.status).toBe(403);
  });

  it.each([
    '/.well-known/known/',
    '/.well-known/KNOWN',
    '/.well-known',
    '/x/.well-known/known',
    '/__proto__',
  ])('is not served at %s', (other) => {
    const { requestGuard, come } = guarded();
    expect(requestGuard.answersDocument(new FakeCall({ method: 'GET', url: other, headers: host }))).toBe(
      false,
    );
    expect(come({ method: 'GET', url: other }).status).toBe(401);
  });
});
