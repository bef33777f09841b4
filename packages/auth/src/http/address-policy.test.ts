import { expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { AddressPolicy } from './address-policy.js';

interface Case {
  /** The configured server. */
  readonly server: string;
  /** The address that the name of the server resolves to. */
  readonly at?: string;
  readonly allow?: readonly string[];
  readonly may?: readonly string[];
  readonly mustNot?: readonly string[];
}

const never = ['https://169.254.169.254', 'https://[fe80::1]', 'https://0.0.0.0', 'https://[ff02::1]'];
const metadata = [
  'http://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]',
  'https://100.100.100.200',
];
const hidden = ['https://10.0.0.1', 'https://192.168.1.1', 'https://[fd12::1]', 'https://[::ffff:10.0.0.1]'];
const here = [
  'http://localhost:1',
  'https://localhost',
  'http://a.localhost',
  'http://[::1]:1',
  'http://0x7f.1',
];
const plain = ['http://auth.example', 'http://8.8.8.8', 'http://10.0.0.1', 'http://printer'];
const odd = [
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://auth.example',
  'ws://auth.example',
];
const credentials = ['https://user@auth.example', 'https://:secret@auth.example'];

const table: Readonly<Record<string, Case>> = {
  'a public server permits public addresses over https': {
    server: 'https://mcp.example/mcp',
    may: ['https://auth.example', 'https://8.8.8.8', 'https://[2606:4700::1]:8443'],
    mustNot: [...never, ...metadata, ...hidden, ...here, ...plain, ...odd, ...credentials],
  },
  'a public server with an IP address permits public addresses over https': {
    server: 'https://93.184.216.34/mcp',
    may: ['https://8.8.8.8', 'https://93.184.216.34'],
    mustNot: [...never, ...hidden, ...here],
  },
  'a server in a private network permits private addresses, but not link-local ones and this machine': {
    server: 'https://10.1.2.3/mcp',
    may: ['https://auth.example', ...hidden],
    mustNot: [...never, ...metadata, ...here, ...plain, ...odd],
  },
  'a server with a name in a private network permits private addresses': {
    server: 'https://mcp.corp.example/mcp',
    at: '10.1.2.3',
    may: hidden,
    mustNot: [...never, ...here, ...plain],
  },
  'a server with a name for this machine permits loopback addresses if it has TLS': {
    server: 'https://dev.example/mcp',
    at: '127.0.0.1',
    may: [...hidden, ...here],
    mustNot: never,
  },
  'a server with a name for this machine permits private addresses without TLS': {
    server: 'http://dev.example/mcp',
    at: '127.0.0.1',
    may: hidden,
    mustNot: [...never, ...here],
  },
  'a server on this machine permits all addresses except link-local ones': {
    server: 'http://localhost:3000/mcp',
    may: ['https://auth.example', ...hidden, ...here],
    mustNot: [...never, ...metadata, ...plain, ...odd, ...credentials],
  },
  'the origin of the server is permitted at any address and without TLS': {
    server: 'http://169.254.7.7:8080/mcp',
    may: ['http://169.254.7.7:8080/.well-known/oauth-protected-resource'],
    mustNot: ['http://169.254.7.7:8081', 'https://169.254.7.8', 'http://user@169.254.7.7:8080', ...hidden],
  },
  'an origin in the option allow is permitted with its port and scheme': {
    server: 'https://mcp.example',
    allow: ['http://keycloak:8080', 'https://169.254.1.1'],
    may: ['http://keycloak:8080/realms/x', 'https://169.254.1.1/token'],
    mustNot: ['http://keycloak', 'http://keycloak:8081', 'http://169.254.1.1', 'https://169.254.1.2'],
  },
  'a host in the option allow is permitted over https, with a port only there': {
    server: 'https://mcp.example',
    allow: ['10.0.0.7', '[::1]', '192.168.1.1:8443'],
    may: ['https://10.0.0.7', 'https://10.0.0.7:8443/x', 'https://[::1]', 'https://192.168.1.1:8443'],
    mustNot: ['http://10.0.0.7', 'https://10.0.0.8', 'https://192.168.1.1', 'https://192.168.1.1:8444'],
  },
};

for (const [name, { server, at, allow, may = [], mustNot = [] }] of Object.entries(table)) {
  test(name, async () => {
    const policy = new AddressPolicy({ server: new URL(server), allow, locate: async () => at });
    for (const url of may) await expect(policy.check(new URL(url)), url).resolves.toBeUndefined();
    for (const url of mustNot) {
      const refusal = expect(policy.check(new URL(url)), url).rejects;
      await refusal.toMatchObject({ name: 'AuthError', reason: 'forbidden-address' });
    }
  });
}

test('permits http only to this machine', async () => {
  shows('2026-07-28/security-best-practices/https');
  const policy = new AddressPolicy({ server: new URL('http://localhost') });
  expect(await policy.permits('http:', '127.0.0.1')).toBe(true);
  expect(await policy.permits('http:', '10.0.0.1')).toBe(false);
  expect(await policy.permits('http:', '8.8.8.8')).toBe(false);
  expect(await policy.permits('https:', 'no address')).toBe(false);
});

test('looks up the address of the server once, for the first private address', async () => {
  let asked = 0;
  const locate = async () => {
    asked++;
    return asked === 1 ? undefined : '10.0.0.1';
  };
  const policy = new AddressPolicy({ server: new URL('https://mcp.example'), locate });
  expect(await policy.permits('https:', '8.8.8.8')).toBe(true);
  expect(asked).toBe(0);
  expect(await policy.permits('https:', '10.0.0.1')).toBe(false);
  // The first lookup failed.
  expect(await policy.permits('https:', '10.0.0.1')).toBe(true);
  expect(await policy.permits('https:', '10.0.0.1')).toBe(true);
  expect(asked).toBe(2);
});

test('says in the error what is wrong and what to do, without path and password', async () => {
  const policy = new AddressPolicy({ server: new URL('https://mcp.example') });
  const refused = (url: string) =>
    policy.check(new URL(url)).then(
      () => '',
      (error: Error) => error.message,
    );
  expect(await refused('https://10.0.0.1/token?code=c0de')).toBe(
    'https://10.0.0.1 must not be reached: its address is private, and the address of https://mcp.example is public. If you trust it, name it in the option allow.',
  );
  expect(await refused('http://auth.example/x')).toContain('it is not https');
  expect(await refused('https://u:pa55@auth.example/x')).not.toContain('pa55');
  expect(await refused('javascript:alert(1)')).toBe(
    'A javascript: address must not be reached: it is not a web address.',
  );
});

test('rejects malformed entries of the option allow', () => {
  for (const place of [
    'https://a.example/path',
    'a.example/path',
    'ftp://a.example',
    'user@a.example',
    'a b',
  ]) {
    expect(
      () => new AddressPolicy({ server: new URL('https://mcp.example'), allow: [place] }),
      place,
    ).toThrow(TypeError);
  }
});
