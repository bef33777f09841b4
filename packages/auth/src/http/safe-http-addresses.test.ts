import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { listen, startServer, startTlsServer, trustTestCertificates } from '../../test/http/http-server.js';
import type { OauthRequest } from './oauth-http.js';
import { safeHttp } from './safe-http.js';

const get = (url: string): OauthRequest => ({ method: 'GET', url: new URL(url) });

const here = new URL('http://127.0.0.1:1');
const elsewhere = new URL('https://93.184.216.34');

test('rejects a name that resolves to a private address', async () => {
  shows('2026-07-28/security-best-practices/ssrf', '2026-07-28/security-best-practices/private-addresses');
  for (const addresses of [
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['::1', 'fe80::1'],
    ['::ffff:a00:1'],
  ]) {
    const lookup = async (name: string) => (name === 'auth.example' ? addresses : ['93.184.216.34']);
    const http = safeHttp({ server: elsewhere, lookup });
    await expect(http.check?.(new URL('https://auth.example'))).resolves.toBeUndefined();
    const sent = http.send(get('https://auth.example/.well-known/openid-configuration'));
    await expect(sent, String(addresses)).rejects.toMatchObject({
      reason: 'forbidden-address',
      message: `https://auth.example must not be reached: its name resolves to ${addresses.join(', ')}. If you trust it, name it in the option allow.`,
    });
  }
});

test('connects to the address that was checked: resolves a name once, and tries only permitted addresses', async () => {
  shows('2026-07-28/security-best-practices/private-addresses');
  const server = await startServer((_, response) => response.end('{}'));
  let lookups = 0;
  const lookup = async () => {
    lookups++;
    return lookups === 1 ? ['10.0.0.1', '127.0.0.1'] : ['10.0.0.1'];
  };
  const http = safeHttp({ server: here, lookup });
  const answer = await http.send(get(`http://auth.localhost:${server.port}/`));
  expect(answer.status).toBe(200);
  expect(lookups).toBe(1);
});

test('rejects localhost if it resolves to another address', async () => {
  const http = safeHttp({ server: here, lookup: async () => ['10.0.0.1'] });
  const sent = http.send(get('http://localhost:2/'));
  await expect(sent).rejects.toMatchObject({ reason: 'forbidden-address' });
});

test('rejects a private address in a URL before it sends anything', async () => {
  shows('2026-07-28/security-best-practices/private-addresses');
  const target = await startServer((_, response) => response.end('{}'));
  const http = safeHttp({ server: elsewhere });
  for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '[::ffff:127.0.0.1]']) {
    for (const method of ['GET', 'POST'] as const) {
      const sent = http.send({ method, url: new URL(`http://${host}:${target.port}/`) });
      await expect(sent).rejects.toMatchObject({ reason: 'forbidden-address' });
    }
  }
  expect(target.asked).toEqual([]);
});

test('checks the address of a redirect', async () => {
  shows('2026-07-28/security-best-practices/redirect-targets');
  const hidden = await startServer((_, response) => response.end('secret'));
  const locations = [
    hidden.origin,
    `http://localhost:${hidden.port}`,
    'http://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'http://auth.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://u:p@public.example/',
  ];
  for (const location of locations) {
    const server = await startServer((_, response) => response.writeHead(302, { location }).end());
    // Counts as public, although it listens on this machine.
    const origin = `http://public.example:${server.port}`;
    const http = safeHttp({ server: elsewhere, allow: [origin], lookup: async () => ['127.0.0.1'] });
    const sent = http.send(get(`${origin}/a`));
    await expect(sent, location).rejects.toMatchObject({ reason: 'forbidden-address' });
  }
  expect(hidden.asked).toEqual([]);
});

test('permits addresses of this machine for a server that runs there with TLS', async () => {
  trustTestCertificates();
  const server = await startTlsServer((_, response) => response.end('{"own":1}'));
  const other = await startServer((_, response) => response.end('{}'));
  const lookup = async () => ['127.0.0.1'];
  const http = safeHttp({ server: new URL(server.origin), lookup });
  expect((await http.send(get(`${server.origin}/x`))).text).toBe('{"own":1}');
  expect((await http.send(get(other.origin))).status).toBe(200);
  expect((await http.send(get(`https://auth.example:${server.port}/y`))).status).toBe(200);
  expect(server.asked).toEqual(['GET /x', 'GET /y']);
});

test('rejects a redirect from https to http', async () => {
  trustTestCertificates();
  const plain = await startServer((_, response) => response.end('{}'));
  const server = await startTlsServer((_, response) =>
    response.writeHead(302, { location: plain.origin }).end(),
  );
  const http = safeHttp({ server: new URL(server.origin), lookup: async () => ['127.0.0.1'] });
  await expect(http.send(get(plain.origin))).resolves.toMatchObject({ status: 200 });
  await expect(http.send(get(server.origin))).rejects.toMatchObject({ reason: 'forbidden-address' });
  expect(plain.asked).toHaveLength(1);
});

test('does not trust DNS for a server without a valid certificate', async () => {
  const unsigned = await startTlsServer((_, response) => response.end('{}'));
  const babble = await listen(createServer((socket) => socket.end('no TLS here')));
  const plain = await startServer((_, response) => response.end('{}'));
  const hidden = await startServer((_, response) => response.end('{}'));
  const lookup = async () => ['127.0.0.1'];
  for (const own of [unsigned.origin, `https://mcp.example:${babble}`, `http://mcp.example:${plain.port}`]) {
    const http = safeHttp({ server: new URL(own), lookup });
    await expect(http.send(get(hidden.origin)), own).rejects.toMatchObject({ reason: 'forbidden-address' });
  }
  expect(hidden.asked).toEqual([]);
});

test('rejects a self-signed certificate', async () => {
  const server = await startTlsServer((_, response) => response.end('{}'));
  const http = safeHttp({ server: new URL(server.origin), lookup: async () => ['127.0.0.1'] });
  await expect(http.send(get(server.origin))).rejects.toMatchObject({
    reason: 'unreachable',
    message: expect.stringMatching(/cannot be reached \((?:DEPTH_ZERO_SELF_SIGNED_CERT|CERT_\w+)\)\.$/),
  });
  expect(server.asked).toEqual([]);
});
