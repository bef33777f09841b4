import type { HttpRefusal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../../tooling/suite/shows.js';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeCall } from '../../../test/fake-call.js';
import { RequestGuard } from './request-guard.js';
import type { RequestGuardOptions } from './request-guard-options.js';

function pass(options: RequestGuardOptions, headers: Record<string, string>): FakeCall & { entered?: true } {
  const call: FakeCall & { entered?: true } = new FakeCall({ headers });
  new RequestGuard(options, () => undefined).admit(call, () => {
    call.entered = true;
  });
  return call;
}

const allowed = (options: RequestGuardOptions, headers: Record<string, string>) =>
  pass(options, headers).entered === true;

describe('the Host header', () => {
  const named = { allowedHosts: ['mcp.example.com', 'api.example.com:8443', '[2001:db8::1]'] };
  it.each<[string, RequestGuardOptions, string | undefined, boolean, ...string[]]>([
    ['localhost', {}, 'localhost', true],
    ['localhost with a port', {}, 'localhost:3000', true],
    ['another case', {}, 'LocalHost:3000', true],
    ['IPv4', {}, '127.0.0.1:80', true],
    ['any address of the loopback net', {}, '127.8.9.10', true],
    ['IPv6', {}, '[::1]', true],
    ['IPv6 with a port', {}, '[::1]:65535', true],
    ['no header', {}, undefined, false],
    ['an empty header', {}, '', false],
    [
      'another name',
      {},
      'evil.example',
      false,
      '2024-11-05/architecture/security-constraints',
      '2024-11-05/index/best-practices',
      '2026-07-28/index/best-practices',
    ],
    ['a name that starts like one allowed', {}, 'localhost.evil.example', false],
    ['an address that begins like one allowed', {}, '127.0.0.1.evil.example', false],
    ['a name that ends like one allowed', {}, 'evil-localhost', false],
    ['a trailing dot', {}, 'localhost.', false],
    ['user information', {}, 'localhost@evil.example', false],
    ['user information before the name', {}, 'evil.example@localhost', false],
    ['an invalid port', {}, 'localhost:http', false],
    ['two ports', {}, 'localhost:80:81', false],
    ['a path', {}, 'localhost/evil', false],
    ['a list', {}, 'localhost, evil.example', false],
    ['white space', {}, ' localhost', false],
    ['every address', {}, '0.0.0.0', false],
    ['IPv4 in IPv6', {}, '[::ffff:127.0.0.1]', false],
    ['an IPv6 zone', {}, '[::1%25lo]', false],
    ['an address as one number', {}, '2130706433', false],
    ['a name on the list', named, 'mcp.example.com', true],
    ['a name on the list in another case', named, 'MCP.Example.Com', true],
    ['a name on the list at any port', named, 'mcp.example.com:8080', true],
    ['a name on the list with its port', named, 'api.example.com:8443', true],
    ['a name on the list at another port', named, 'api.example.com:8444', false],
    ['a name on the list without its port', named, 'api.example.com', false],
    ['an IPv6 address on the list', named, '[2001:DB8::1]:443', true],
    ['a name under one on the list', named, 'x.mcp.example.com', false],
    ['localhost missing from the list', named, 'localhost', false],
    ['any name with any allowed', { allowedHosts: 'any' }, 'evil.example', true],
    ['no header with any allowed', { allowedHosts: 'any' }, undefined, true],
    ['any name with an empty list', { allowedHosts: [] }, 'localhost', false],
  ])('%s', (...[, options, host, expected, ...ids]) => {
    shows(...ids);
    expect(allowed(options, host === undefined ? {} : { host })).toBe(expected);
  });

  it('is checked the same way the second time', () => {
    const requestGuard = new RequestGuard({}, () => undefined);
    const tries = ['localhost:1', 'evil.example', 'localhost:1', 'evil.example'].map((host) => {
      let entered = false;
      requestGuard.admit(new FakeCall({ headers: { host } }), () => {
        entered = true;
      });
      return entered;
    });
    expect(tries).toEqual([true, false, true, false]);
  });
});

describe('the Origin header', () => {
  const host = 'localhost';
  const listed = { allowedOrigins: ['https://app.example.com', 'http://Dev.example.com:8080'] };
  const hosts = { allowedHosts: ['localhost', 'mcp.example.com', 'api.example.com:8443'] };
  it.each<[string, RequestGuardOptions, string, boolean, ...string[]]>([
    ['a page of this machine', {}, 'http://localhost:5173', true],
    ['a page of this machine over TLS', {}, 'https://127.0.0.1', true],
    ['a page of this machine, IPv6', {}, 'http://[::1]:8080', true],
    [
      'another site',
      {},
      'https://evil.example',
      false,
      '2026-07-28/basic/transports/streamable-http/validate-origin',
    ],
    ['null', {}, 'null', false],
    ['an empty header', {}, '', false],
    ['user information', {}, 'http://localhost@evil.example', false],
    ['user information the other way round', {}, 'http://evil.example@localhost', false],
    ['a path', {}, 'http://localhost/x', false],
    ['a backslash', {}, 'http://localhost\\.evil.example', false],
    ['an escaped letter', {}, 'http://%6cocalhost', false],
    ['a soft hyphen', {}, 'http://local\u00adhost', false],
    ['another scheme', {}, 'file://localhost', false],
    ['an extension', {}, 'chrome-extension://localhost', false],
    ['two origins', {}, 'http://localhost http://evil.example', false],
    ['a list', {}, 'http://localhost, http://evil.example', false],
    ['one on the list', listed, 'https://app.example.com', true],
    ['one on the list in another notation', listed, 'http://dev.example.com:8080', true],
    ['one on the list in another scheme', listed, 'http://app.example.com', false],
    ['one on the list at another port', listed, 'https://app.example.com:444', false],
    ['null with a list', listed, 'null', false],
    ['a loopback page missing from the list', listed, 'http://localhost:3000', false],
    ['https on an allowed host', hosts, 'https://mcp.example.com', true],
    ['https on an allowed host with its port', hosts, 'https://api.example.com:8443', true],
    ['https on an allowed host at another port', hosts, 'https://api.example.com', false],
    ['http on an allowed host', hosts, 'http://mcp.example.com', false],
    ['another site with named hosts', hosts, 'https://evil.example', false],
    ['another site with any host allowed', { allowedHosts: 'any' }, 'https://evil.example', false],
    ['any site with any allowed', { allowedOrigins: 'any' }, 'https://evil.example', true],
    ['null with any allowed', { allowedOrigins: 'any' }, 'null', true],
  ])('%s', (...[, options, origin, expected, ...ids]) => {
    shows(...ids);
    expect(allowed(options, { host, origin })).toBe(expected);
  });

  it('is optional', () => {
    expect(allowed(listed, { host })).toBe(true);
  });
});

describe('a rejected request', () => {
  it.each([
    ['host', { host: 'evil.example' }, /Host header.*allowedHosts/],
    [
      'origin',
      { host: 'localhost', origin: 'https://evil.example' },
      /origin.*allowedOrigins/,
      '2026-07-28/basic/transports/streamable-http/origin-forbidden',
    ],
  ])('receives the reason, for its %s, before its body is read', (...[, headers, message, ...ids]) => {
    shows(...ids);
    const call = pass({}, headers as unknown as Record<string, string>);
    expect(call).toMatchObject({ status: 403, bodyReads: 0 });
    expect(call.json).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: expect.stringMatching(message) },
    });
  });
});

describe('invalid options', () => {
  it.each<[RequestGuardOptions, RegExp]>([
    [{ allowedHosts: ['https://mcp.example.com'] }, /allowedHosts: "https:/],
    [{ allowedHosts: ['mcp.example.com/mcp'] }, /is not a valid host name/],
    [{ allowedHosts: ['*.example.com'] }, /is not a valid host name/],
    [{ allowedHosts: [''] }, /is not a valid host name/],
    [{ allowedHosts: 'mcp.example.com' as 'any' }, /must be a list, such as \["mcp.example.com"\]/],
    [{ allowedOrigins: 'https://x.example' as 'any' }, /must be a list/],
    [{ allowedHosts: [undefined as unknown as string] }, /is not a valid host name/],
    [{ allowedOrigins: ['app.example.com'] }, /allowedOrigins: "app.example.com" is not a valid origin/],
    [{ allowedOrigins: ['https://app.example.com/path'] }, /is not a valid origin/],
    [{ allowedOrigins: ['null'] }, /is not a valid origin/],
    [{ allowedOrigins: ['https://user@app.example.com'] }, /is not a valid origin/],
  ])('%j', (options, message) => {
    expect(() => new RequestGuard(options, () => undefined)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }),
    );
  });

  it('requires brackets for an IPv6 address', () => {
    expect(() => new RequestGuard({ allowedHosts: ['::1'] }, () => undefined)).toThrow(TypeError);
  });
});

describe('authenticate', () => {
  const headers = { host: 'localhost', authorization: 'Bearer x' };

  function admit(authenticate: unknown) {
    const errors: unknown[] = [];
    const requestGuard = new RequestGuard({ authenticate: authenticate as never }, (error, where) =>
      errors.push([error, where]),
    );
    const call = new FakeCall({ headers, url: '/mcp?tenant=1' });
    const entered: unknown[] = [];
    requestGuard.admit(call, (principal) => entered.push(principal));
    return { call, entered, errors };
  }

  it.each<[string, () => unknown, ...string[]]>([
    [
      'at once',
      () => ({ id: 'ada' }),
      '2026-07-28/basic/transports/streamable-http/authenticate',
      '2026-07-28/index/controls-and-protections',
    ],
    ['later', async () => ({ id: 'ada' })],
  ])('sets the principal: %s', async (_title, authenticate, ...ids) => {
    shows(...ids);
    const { entered } = admit(authenticate);
    await settled();
    expect(entered).toEqual([{ id: 'ada' }]);
  });

  it('receives method, URL and headers, whatever the case of header names', async () => {
    shows('2026-07-28/basic/index/auth-custom');
    const seen: unknown[] = [];
    admit((credentials: { method: string; url: string; header(name: string): unknown }) => {
      const { method, url } = credentials;
      seen.push(method, url, credentials.header('Authorization'), credentials.header('x-none'));
    });
    await settled();
    expect(seen).toEqual(['POST', '/mcp?tenant=1', 'Bearer x', undefined]);
  });

  it.each([undefined, null])('admits an anonymous caller when it returns %s', async (nobody) => {
    showsBy(nobody, { undefined: '2026-07-28/basic/authorization/index/optional' });
    const { entered, errors } = admit(() => nobody);
    await settled();
    expect({ entered, errors }).toEqual({ entered: [undefined], errors: [] });
  });

  it('rejects with its own status and headers', async () => {
    const refusal: HttpRefusal = {
      status: 401,
      reason: 'Say who you are.',
      headers: { 'www-authenticate': 'Bearer' },
    };
    const { call, entered } = admit(async () => refusal);
    await settled();
    expect(entered).toEqual([]);
    expect(call).toMatchObject({ status: 401, sent: { 'www-authenticate': 'Bearer' }, bodyReads: 0 });
    expect(call.json.error?.message).toBe('Say who you are.');
  });

  it('rejects without a body if it gives no reason', async () => {
    const { call } = admit(() => ({ status: 403 }));
    await settled();
    expect(call).toMatchObject({ status: 403, text: '', sent: {} });
  });

  const boom = new Error('secret detail');
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw boom;
      },
    ],
    ['rejects', () => Promise.reject(boom)],
  ])('hides the reason when it %s', async (_title, authenticate) => {
    const { call, entered, errors } = admit(authenticate);
    await settled();
    expect(entered).toEqual([]);
    expect(call.status).toBe(500);
    expect(call.text).not.toContain('secret');
    expect(errors).toEqual([[boom, 'authenticate']]);
  });

  it.each([true, 'ada', 5, {}, { sub: 'ada' }, { id: 5 }])('rejects %j as its result', async (odd) => {
    const { call, entered, errors } = admit(() => odd);
    await settled();
    expect(entered).toEqual([]);
    expect(call.status).toBe(500);
    expect(errors).toHaveLength(1);
  });

  it('admits no caller that has disconnected meanwhile', async () => {
    let answer = (_: unknown) => {};
    const { call, entered } = admit(() => new Promise((resolve) => (answer = resolve)));
    call.leave();
    answer({ id: 'ada' });
    await settled();
    expect(entered).toEqual([]);
  });

  it('is not called for a rejected host', async () => {
    let asked = false;
    const requestGuard = new RequestGuard(
      {
        authenticate: () => {
          asked = true;
          return undefined;
        },
      },
      () => undefined,
    );
    requestGuard.admit(new FakeCall({ headers: { host: 'evil.example' } }), () => undefined);
    await settled();
    expect(asked).toBe(false);
  });

  it('is not affected by an error of the next step', async () => {
    const errors: unknown[] = [];
    const requestGuard = new RequestGuard({ authenticate: () => undefined }, (error) => errors.push(error));
    const call = new FakeCall({ headers });
    requestGuard.admit(call, () => {
      throw boom;
    });
    await settled();
    expect(call.status).toBe(500);
    expect(errors).toEqual([boom]);
  });
});
