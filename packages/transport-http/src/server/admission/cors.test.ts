import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeCall } from '../../../test/fake-call.js';
import { refuse } from '../call/refusal.js';
import { RequestGuard } from './request-guard.js';
import type { RequestGuardOptions } from './request-guard-options.js';

const origin = 'http://localhost:5173';
const preflight = { origin, 'access-control-request-method': 'POST' };

function ask(options: RequestGuardOptions, method: string, headers: Record<string, string>): FakeCall {
  const call = new FakeCall({ method, headers: { host: 'localhost', ...headers } });
  new RequestGuard(options, () => undefined).admit(call, () => refuse(call, { status: 405, reason: 'no' }));
  return call;
}

describe('CORS by default', () => {
  it.each(['POST', 'OPTIONS'])('adds no header to %s', (method) => {
    const call = ask({}, method, preflight);
    expect(call.status).toBe(405);
    expect(Object.keys(call.sent)).toEqual(['content-type']);
  });
});

describe('CORS on', () => {
  it('allows the page to read the answer and the headers of the protocol', () => {
    expect(ask({ cors: true }, 'POST', { origin }).sent).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate, DPoP-Nonce, Retry-After',
      vary: 'Origin',
    });
  });

  it('sends Vary: Origin even without an origin', () => {
    const { sent } = ask({ cors: true }, 'POST', {});
    expect(sent).toMatchObject({ vary: 'Origin' });
    expect(sent).not.toHaveProperty('access-control-allow-origin');
  });

  it('answers a preflight request', () => {
    const call = ask({ cors: true }, 'OPTIONS', preflight);
    expect(call).toMatchObject({ status: 204, text: '' });
    expect(call.sent).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
    expect(call.sent['access-control-allow-headers']?.split(', ')).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'last-event-id',
        'mcp-method',
        'mcp-name',
        'mcp-protocol-version',
        'mcp-session-id',
      ]),
    );
    expect(call.sent).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each<[string, string, string[]]>([
    ['parameters', 'Mcp-Param-Region,mcp-param-x', ['mcp-param-region', 'mcp-param-x']],
    ['white space', ' mcp-param-a ,\tmcp-param-b', ['mcp-param-a', 'mcp-param-b']],
    ['other headers', 'x-evil, mcp-param-a, cookie', ['mcp-param-a']],
    ['invalid names', 'mcp-param-a b, mcp-param-é', []],
    ['a name that is too long', `mcp-param-${'a'.repeat(257)}`, []],
    ['more names than are checked', `${'x,'.repeat(64)}mcp-param-a`, []],
  ])('allows requested headers: %s', (_title, requested, names) => {
    const { sent } = ask({ cors: true }, 'OPTIONS', {
      ...preflight,
      'access-control-request-headers': requested,
    });
    const listed = sent['access-control-allow-headers']?.split(', ') ?? [];
    expect(listed.filter((name) => name.startsWith('mcp-param-') || name === 'cookie')).toEqual(names);
  });

  it('allows further headers of the operator', () => {
    const { sent } = ask({ cors: { headers: ['X-Api-Key'] } }, 'OPTIONS', preflight);
    expect(sent['access-control-allow-headers']?.split(', ')).toContain('x-api-key');
    expect(() => new RequestGuard({ cors: { headers: ['x evil'] } }, () => undefined)).toThrow(TypeError);
  });

  it('adds no headers for a page with an origin that is not allowed', () => {
    const call = ask({ cors: true }, 'OPTIONS', { ...preflight, origin: 'https://evil.example' });
    expect(call.status).toBe(403);
    expect(call.sent).not.toHaveProperty('access-control-allow-origin');
  });

  it('passes OPTIONS requests on that are not preflight requests', () => {
    expect(ask({ cors: true }, 'OPTIONS', { origin }).status).toBe(405);
  });

  it('skips authentication for a preflight request, and allows the page to read a refusal', async () => {
    const options: RequestGuardOptions = {
      cors: true,
      authenticate: () => ({ status: 401, reason: 'Who?' }),
    };
    expect(ask(options, 'OPTIONS', preflight).status).toBe(204);
    const call = ask(options, 'POST', { origin });
    await settled();
    expect(call).toMatchObject({ status: 401, sent: { 'access-control-allow-origin': origin } });
  });
});
