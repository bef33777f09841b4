import type { HttpRefusal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { FakeCall } from '../../../test/fake-call.js';
import { settled } from '../../../test/manual-clock.js';
import { Gate } from './gate.js';
import type { GateOptions } from './gate-options.js';

function pass(options: GateOptions, headers: Record<string, string>): FakeCall & { entered?: true } {
  const call: FakeCall & { entered?: true } = new FakeCall({ headers });
  new Gate(options, () => undefined).admit(call, () => {
    call.entered = true;
  });
  return call;
}

const allowed = (options: GateOptions, headers: Record<string, string>) =>
  pass(options, headers).entered === true;

describe('the Host header', () => {
  const named = { allowedHosts: ['mcp.example.com', 'api.example.com:8443', '[2001:db8::1]'] };
  it.each<[string, GateOptions, string | undefined, boolean]>([
    ['localhost', {}, 'localhost', true],
    ['localhost with a port', {}, 'localhost:3000', true],
    ['another case', {}, 'LocalHost:3000', true],
    ['IPv4', {}, '127.0.0.1:80', true],
    ['any address of the loopback net', {}, '127.8.9.10', true],
    ['IPv6', {}, '[::1]', true],
    ['IPv6 with a port', {}, '[::1]:65535', true],
    ['no header', {}, undefined, false],
    ['an empty header', {}, '', false],
    ['another name', {}, 'evil.example', false],
    ['a name that begins like one allowed', {}, 'localhost.evil.example', false],
    ['an address that begins like one allowed', {}, '127.0.0.1.evil.example', false],
    ['a name that ends like one allowed', {}, 'evil-localhost', false],
    ['a trailing dot', {}, 'localhost.', false],
    ['user information', {}, 'localhost@evil.example', false],
    ['user information before the name', {}, 'evil.example@localhost', false],
    ['a port that is none', {}, 'localhost:http', false],
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
    ['localhost where a list leaves it out', named, 'localhost', false],
    ['anything where any is allowed', { allowedHosts: 'any' }, 'evil.example', true],
    ['nothing where any is allowed', { allowedHosts: 'any' }, undefined, true],
    ['anything where the list is empty', { allowedHosts: [] }, 'localhost', false],
  ])('%s', (...[, options, host, expected]) => {
    expect(allowed(options, host === undefined ? {} : { host })).toBe(expected);
  });

  it('is judged the same the second time', () => {
    const gate = new Gate({}, () => undefined);
    const tries = ['localhost:1', 'evil.example', 'localhost:1', 'evil.example'].map((host) => {
      let entered = false;
      gate.admit(new FakeCall({ headers: { host } }), () => {
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
  it.each<[string, GateOptions, string, boolean]>([
    ['a page of this machine', {}, 'http://localhost:5173', true],
    ['a page of this machine over TLS', {}, 'https://127.0.0.1', true],
    ['a page of this machine, IPv6', {}, 'http://[::1]:8080', true],
    ['another site', {}, 'https://evil.example', false],
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
    ['one on the list that was given loosely', listed, 'http://dev.example.com:8080', true],
    ['one on the list in another scheme', listed, 'http://app.example.com', false],
    ['one on the list at another port', listed, 'https://app.example.com:444', false],
    ['null where there is a list', listed, 'null', false],
    ['a page of this machine where a list leaves it out', listed, 'http://localhost:3000', false],
    ['https on an allowed host', hosts, 'https://mcp.example.com', true],
    ['https on an allowed host with its port', hosts, 'https://api.example.com:8443', true],
    ['https on an allowed host at another port', hosts, 'https://api.example.com', false],
    ['http on an allowed host', hosts, 'http://mcp.example.com', false],
    ['another site where hosts are named', hosts, 'https://evil.example', false],
    ['another site where any host is allowed', { allowedHosts: 'any' }, 'https://evil.example', false],
    ['anything where any is allowed', { allowedOrigins: 'any' }, 'https://evil.example', true],
    ['null where any is allowed', { allowedOrigins: 'any' }, 'null', true],
  ])('%s', (...[, options, origin, expected]) => {
    expect(allowed(options, { host, origin })).toBe(expected);
  });

  it('need not be there', () => {
    expect(allowed(listed, { host })).toBe(true);
  });
});

describe('a request that is turned away', () => {
  it.each([
    ['host', { host: 'evil.example' }, /Host header.*allowedHosts/],
    ['origin', { host: 'localhost', origin: 'https://evil.example' }, /origin.*allowedOrigins/],
  ])('hears why, for its %s, before its body is read', (_title, headers, message) => {
    const call = pass({}, headers as unknown as Record<string, string>);
    expect(call).toMatchObject({ status: 403, bodyReads: 0 });
    expect(call.json).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: expect.stringMatching(message) },
    });
  });
});

describe('options that cannot work', () => {
  it.each<[GateOptions, RegExp]>([
    [{ allowedHosts: ['https://mcp.example.com'] }, /allowedHosts: "https:/],
    [{ allowedHosts: ['mcp.example.com/mcp'] }, /is no host name/],
    [{ allowedHosts: ['*.example.com'] }, /is no host name/],
    [{ allowedHosts: [''] }, /is no host name/],
    [{ allowedHosts: 'mcp.example.com' as 'any' }, /must be a list, such as \["mcp.example.com"\]/],
    [{ allowedOrigins: 'https://x.example' as 'any' }, /must be a list/],
    [{ allowedHosts: [undefined as unknown as string] }, /is no host name/],
    [{ allowedOrigins: ['app.example.com'] }, /allowedOrigins: "app.example.com" is no origin/],
    [{ allowedOrigins: ['https://app.example.com/path'] }, /is no origin/],
    [{ allowedOrigins: ['null'] }, /is no origin/],
    [{ allowedOrigins: ['https://user@app.example.com'] }, /is no origin/],
  ])('%j', (options, message) => {
    expect(() => new Gate(options, () => undefined)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }),
    );
  });

  it('an address of IPv6 needs its brackets', () => {
    expect(() => new Gate({ allowedHosts: ['::1'] }, () => undefined)).toThrow(TypeError);
  });
});

describe('authenticate', () => {
  const headers = { host: 'localhost', authorization: 'Bearer x' };

  function admit(authenticate: unknown) {
    const errors: unknown[] = [];
    const gate = new Gate({ authenticate: authenticate as never }, (error, where) =>
      errors.push([error, where]),
    );
    const call = new FakeCall({ headers, url: '/mcp?tenant=1' });
    const entered: unknown[] = [];
    gate.admit(call, (principal) => entered.push(principal));
    return { call, entered, errors };
  }

  it.each([
    ['at once', () => ({ id: 'ada' })],
    ['later', async () => ({ id: 'ada' })],
  ])('names the caller %s', async (_title, authenticate) => {
    const { entered } = admit(authenticate);
    await settled();
    expect(entered).toEqual([{ id: 'ada' }]);
  });

  it('sees method, URL and headers, whatever case they are asked for in', async () => {
    const seen: unknown[] = [];
    admit((credentials: { method: string; url: string; header(name: string): unknown }) => {
      const { method, url } = credentials;
      seen.push(method, url, credentials.header('Authorization'), credentials.header('x-none'));
    });
    await settled();
    expect(seen).toEqual(['POST', '/mcp?tenant=1', 'Bearer x', undefined]);
  });

  it.each([undefined, null])('lets %s in as nobody in particular', async (nobody) => {
    const { entered, errors } = admit(() => nobody);
    await settled();
    expect({ entered, errors }).toEqual({ entered: [undefined], errors: [] });
  });

  it('turns away with status and headers of its own', async () => {
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

  it('turns away without a body where no reason is given', async () => {
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
  ])('says nothing of why it %s', async (_title, authenticate) => {
    const { call, entered, errors } = admit(authenticate);
    await settled();
    expect(entered).toEqual([]);
    expect(call.status).toBe(500);
    expect(call.text).not.toContain('secret');
    expect(errors).toEqual([[boom, 'authenticate']]);
  });

  it.each([true, 'ada', 5, {}, { sub: 'ada' }, { id: 5 }])('takes %j for nobody it knows', async (odd) => {
    const { call, entered, errors } = admit(() => odd);
    await settled();
    expect(entered).toEqual([]);
    expect(call.status).toBe(500);
    expect(errors).toHaveLength(1);
  });

  it('lets nobody in who has gone meanwhile', async () => {
    let answer = (_: unknown) => {};
    const { call, entered } = admit(() => new Promise((resolve) => (answer = resolve)));
    call.leave();
    answer({ id: 'ada' });
    await settled();
    expect(entered).toEqual([]);
  });

  it('is not asked about a host that is refused', async () => {
    let asked = false;
    const gate = new Gate(
      {
        authenticate: () => {
          asked = true;
          return undefined;
        },
      },
      () => undefined,
    );
    gate.admit(new FakeCall({ headers: { host: 'evil.example' } }), () => undefined);
    await settled();
    expect(asked).toBe(false);
  });

  it('survives that what follows fails', async () => {
    const errors: unknown[] = [];
    const gate = new Gate({ authenticate: () => undefined }, (error) => errors.push(error));
    const call = new FakeCall({ headers });
    gate.admit(call, () => {
      throw boom;
    });
    await settled();
    expect(call.status).toBe(500);
    expect(errors).toEqual([boom]);
  });
});
