import { describe, expect, it } from 'vitest';
import { FakeApplication } from '../../../test/fake-application.js';
import type { FakeCall } from '../../../test/fake-call.js';
import { FakeGuard } from '../../../test/fake-guard.js';
import { FakeService, postHeaders, request, stateless } from '../../../test/fake-service.js';
import type { HttpCall } from '../call/http-call.js';
import type { HttpOptions } from '../http-options.js';
import { bearerDemand } from './scopes-lacking.js';

const ada = { id: 'ada' };
const error = { code: -31003, message: 'This takes the scope a b.' };

/** An endpoint with calls that need scopes; `early` makes a stream of each answer. */
function demanding({ early = false, ...options }: HttpOptions & { early?: boolean } = {}) {
  const application = new FakeApplication((value, exchange) => {
    if (early) void exchange.send('{"jsonrpc":"2.0","method":"early"}');
    const refuse = (id: unknown) => {
      exchange.scopesLacking?.(['a', 'b']);
      exchange.failed?.(error.code);
      return { jsonrpc: '2.0', id, error };
    };
    const answer = Array.isArray(value) ? value.map(({ id }) => refuse(id)) : refuse(value.id);
    return early ? Promise.resolve(JSON.stringify(answer)) : JSON.stringify(answer);
  });
  return new FakeService(options, application);
}

type Post = (
  host: FakeService,
  guard: HttpCall['guard'],
  principal: typeof ada | undefined,
) => FakeCall | Promise<FakeCall>;

const call = (
  host: FakeService,
  [value, headers]: [unknown, object],
  ...who: [HttpCall['guard'], typeof ada?]
) =>
  host.call({ text: JSON.stringify(value), headers: { ...postHeaders, ...headers }, guard: who[0] }, who[1]);

const ways: [string, HttpOptions, Post][] = [
  ['outside sessions', {}, (host, ...who) => call(host, stateless(1), ...who)],
  [
    'in a session',
    {},
    (host, guard, principal) => {
      const session = host.open(undefined, principal);
      return call(host, [request(1, 'tools/call'), session], guard, principal);
    },
  ],
  [
    'in a session that carries answers only',
    { sessions: { jsonOnly: true } },
    (host, guard, principal) =>
      call(host, [request(1, 'tools/call'), host.open(undefined, principal)], guard, principal),
  ],
  [
    'of a handshake revision without sessions',
    { sessions: false },
    (host, ...who) =>
      call(host, [request(1, 'tools/call'), { 'mcp-protocol-version': '2025-06-18' }], ...who),
  ],
];

describe.each(ways)('a request %s without the needed scopes', (_title, options, post) => {
  it('is answered with the demand of the guard and the error', async () => {
    const answer = await post(demanding(options), new FakeGuard(), ada);
    expect(answer).toMatchObject({ status: 403, streaming: false, json: { id: 1, error } });
    expect(answer.sent).toEqual({
      'content-type': 'application/json',
      'www-authenticate': 'Fake scope="a b", user="ada"',
    });
  });

  it('is answered with a plain challenge if the caller was authenticated without a guard', async () => {
    for (const known of [bearerDemand, undefined]) {
      const answer = await post(demanding(options), known, ada);
      expect(answer).toMatchObject({ status: 403, json: { error } });
      expect(answer.sent['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="a b"');
    }
  });

  it('is answered with a challenge if the caller could authenticate', async () => {
    const answer = await post(demanding(options), bearerDemand, undefined);
    expect(answer).toMatchObject({ status: 401, json: { error } });
    expect(answer.sent['www-authenticate']).toBe('Bearer scope="a b"');
  });

  it('is answered with only the error if nothing authenticates callers', async () => {
    const answer = await post(demanding(options), undefined, undefined);
    expect(answer).toMatchObject({ status: 200, json: { error } });
    expect(answer.sent['www-authenticate']).toBeUndefined();
  });
});

describe('the error without a demand', () => {
  it('is sent in a batch', () => {
    const host = demanding();
    const session = host.open('2025-03-26', ada);
    const batch = [request(1, 'tools/call'), request(2, 'tools/call')];
    const answer = call(host, [batch, session], new FakeGuard(), ada);
    expect(answer).toMatchObject({ status: 200, json: [{ error }, { error }] });
    expect(answer.sent['www-authenticate']).toBeUndefined();
  });

  it.each([
    ['outside sessions', () => stateless(1)],
    ['in a session', (host: FakeService) => [request(1, 'tools/call'), host.open(undefined, ada)] as const],
  ])('is sent on a stream that has started, %s', async (_title, message) => {
    const host = demanding({ early: true });
    const [value, headers] = message(host);
    const answer = await call(host, [value, headers], new FakeGuard(), ada).done();
    expect(answer).toMatchObject({ status: 200, streaming: true });
    expect(answer.messages.at(-1)?.error).toEqual(error);
    expect(answer.sent['www-authenticate']).toBeUndefined();
  });
});

describe('a caller without a principal', () => {
  it.each([
    [new FakeGuard(), undefined, true],
    [bearerDemand, undefined, true],
    [bearerDemand, ada, false],
    [undefined, undefined, true],
    [undefined, ada, false],
  ])('is anonymous, also if nothing authenticates callers', (guard, principal, anonymous) => {
    const seen: unknown[] = [];
    const application = new FakeApplication((value, exchange) => {
      seen.push(exchange.facts.anonymous);
      return JSON.stringify({ jsonrpc: '2.0', id: value.id, result: {} });
    });
    for (const sessions of [undefined, false] as const) {
      const host = new FakeService({ sessions }, application);
      call(host, stateless(1), guard, principal);
      call(host, [request(1, 'tools/call'), { 'mcp-protocol-version': '2025-06-18' }], guard, principal);
    }
    const host = new FakeService({}, application);
    call(host, [request(1, 'tools/call'), host.open(undefined, principal)], guard, principal);
    expect(seen).toEqual([anonymous, anonymous, anonymous, anonymous]);
  });
});
