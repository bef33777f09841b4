import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listen, startServer } from '../../test/http/http-server.js';
import { safeHttp } from '../http/safe-http.js';
import { discover } from './discovery.js';

/** Starts a server with a public host name on this machine, and one that must not be reached. */
async function attack(answers: (own: string, hidden: string) => Readonly<Record<string, unknown>>) {
  const hidden = await startServer((_, response) => response.end('{}'));
  const listener = await startServer((request, response) => {
    const body = answers(origin, hidden.origin)[request.url ?? ''];
    if (body === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const origin = `http://mcp.example:${listener.port}`;
  const allow = [origin];
  const lookup = async (name: string) => (name === 'mcp.example' ? ['127.0.0.1'] : ['10.0.0.1']);
  const http = safeHttp({ server: new URL('https://93.184.216.34'), allow, lookup });
  const server = new URL(`${origin}/mcp`);
  const run = (resourceMetadata?: string) =>
    discover({ server, http, allow, challenge: { resourceMetadata } });
  return { hidden, run };
}

const place = '/.well-known/oauth-protected-resource/mcp';

test('rejects URLs of private addresses from the documents of a server', async () => {
  const targets = [
    'https://127.0.0.1:1',
    'https://localhost',
    'https://[::1]',
    'https://0x7f000001',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://[::ffff:169.254.169.254]',
    // Private only according to DNS.
    'https://inside.example',
  ];
  for (const target of targets) {
    const { run } = await attack((own) => ({
      [place]: { resource: `${own}/mcp`, authorization_servers: [target] },
    }));
    await expect(run(), target).rejects.toMatchObject({ reason: 'forbidden-address' });
    await expect(run(`${target}/prm`), target).rejects.toMatchObject({ reason: 'forbidden-address' });
  }
  const { hidden, run } = await attack((own, inside) => ({
    [place]: { resource: `${own}/mcp`, authorization_servers: [inside] },
  }));
  await expect(run()).rejects.toMatchObject({ reason: 'forbidden-address' });
  await expect(run(hidden.origin)).rejects.toMatchObject({ reason: 'forbidden-address' });
  expect(hidden.asked).toEqual([]);
});

test('rejects private addresses in the endpoints of an authorization server', async () => {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
    for (const target of [
      'https://127.0.0.1/admin',
      'http://localhost:6379/',
      'https://192.168.1.1/',
      'https://169.254.169.254/',
    ]) {
      const { run } = await attack((own) => ({
        [place]: { resource: `${own}/mcp`, authorization_servers: [own] },
        '/.well-known/oauth-authorization-server': {
          issuer: own,
          token_endpoint: `${own}/token`,
          [name]: target,
        },
      }));
      await expect(run(), `${name} ${target}`).rejects.toMatchObject({ reason: 'forbidden-address' });
    }
  }
});

test('rejects metadata of 10 MB, and metadata that is nested too deeply', async () => {
  for (const body of [
    `{"a":"${'x'.repeat(10_485_760)}"}`,
    `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ]) {
    const { run } = await attack(() => ({ [place]: body }));
    await expect(run()).rejects.toMatchObject({ reason: 'unreachable' });
  }
});

test('rejects as unreachable if no server listens', async () => {
  const gone = createServer();
  const port = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
  const at = new URL(`http://127.0.0.1:${port}/mcp`);
  await expect(discover({ server: at, http: safeHttp({ server: at }) })).rejects.toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});
