import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { AuthError, oauth } from '@tenon/mcp-auth/client';
import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { scriptedBrowser, startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { certificateFor } from '../../../test/certificate.js';
import { closedPort, startNodeServer } from '../../../test/node-server.js';
import { type DiagnoseOptions, type Diagnosis, diagnose } from '../../doctor.js';

const info = { name: 'test', version: '1.0.0' };

async function diagnosed(
  url: string,
  options: Partial<DiagnoseOptions> = {},
  headers = {},
): Promise<Diagnosis> {
  return diagnose({ kind: 'url', url, headers }, { info, timeout: 20_000, ...options });
}

function stepOf({ steps }: Diagnosis, id: string) {
  const step = steps.find((one) => one.id === id);
  if (step === undefined) throw new Error(`There is no step ${id}.`);
  return step;
}

async function startGoodServer(): Promise<string> {
  const server = createServer({ name: 'notes', version: '1.0.0' }).tool('add', {}, () => 'added');
  const serving = await serveHttp(server);
  onTestFinished(() => serving.close());
  return serving.url;
}

const text =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

/** A server that requires sign-in, and publishes documents by path. */
function protectedBy(
  documents: (origin: string) => Record<string, unknown>,
  challenge?: string,
): RequestListener {
  return (request, response) => {
    const origin = `http://${request.headers.host}`;
    const document = documents(origin)[request.url ?? ''];
    if (document !== undefined)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
    else if (request.url !== '/mcp') response.writeHead(404).end();
    else response.writeHead(401, challenge === undefined ? {} : { 'www-authenticate': challenge }).end();
  };
}

const resourcePath = '/.well-known/oauth-protected-resource/mcp';
const serverPath = '/.well-known/oauth-authorization-server';
const goodServer = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  code_challenge_methods_supported: ['S256'],
});
const goodResource = (origin: string) => ({ resource: `${origin}/mcp`, authorization_servers: [origin] });

describe('the diagnosis of a URL', () => {
  it('passes each step of a good server', async () => {
    const diagnosis = await diagnosed(await startGoodServer());
    expect(diagnosis.steps.map(({ id, status }) => `${id} ${status}`)).toEqual(
      'url dns tcp http clock rebinding challenge resource-metadata revision lists ping session'
        .split(' ')
        .map((id) => `${id} passed`),
    );
    expect(diagnosis).toMatchObject({ ok: true });
    expect(stepOf(diagnosis, 'lists').summary).toBe('1 tool, 0 resources, 0 templates, 0 prompts');
  });

  it('shows the handshake and the session of an older revision', async () => {
    const diagnosis = await diagnosed(await startGoodServer(), { revision: '2025-06-18' });
    expect(stepOf(diagnosis, 'revision').details).toEqual([
      expect.stringMatching(/^POST initialize 2025-06-18: HTTP 200/),
      expect.stringMatching(/^POST notifications\/initialized 2025-06-18: HTTP 202/),
    ]);
    expect(stepOf(diagnosis, 'session').summary).toMatch(/^id of \d+ characters, ended by DELETE$/);
  });

  it.each([
    ['a URL that is none', 'example', 'url', 'usage'],
    ['another protocol', 'ftp://127.0.0.1/', 'url', 'usage'],
    ['a password', 'http://ada:secret@127.0.0.1/', 'url', 'usage'],
    ['a host without an address', 'http://nothing.invalid/mcp', 'dns', 'unreachable'],
  ])('fails for %s', async (...[, url, id, reason]) => {
    const diagnosis = await diagnosed(url);
    expect(diagnosis).toMatchObject({ ok: false, reason });
    expect(stepOf(diagnosis, id)).toMatchObject({ status: 'failed', fix: expect.any(String) });
    expect(stepOf(diagnosis, 'revision')).toMatchObject({ status: 'skipped', summary: 'needs HTTP' });
    expect(JSON.stringify(stepOf(diagnosis, id))).not.toContain('secret');
  });

  it('says that nothing listens at a closed port', async () => {
    const diagnosis = await diagnosed(`http://127.0.0.1:${await closedPort()}/mcp`);
    expect(stepOf(diagnosis, 'tcp')).toMatchObject({
      status: 'failed',
      reason: 'unreachable',
      details: [expect.stringContaining('ECONNREFUSED')],
      fix: expect.stringContaining('start the server'),
    });
  });

  it.each([
    ['self-signed', {}, 'self-signed', 'NODE_EXTRA_CA_CERTS'],
    ['expired', { from: -400 }, 'expired', 'Renew'],
    ['not valid yet', { from: 10 }, 'not valid yet', 'clock'],
  ])('names the problem of a certificate that is %s', async (...[, dates, problem, fix]) => {
    const origin = await startNodeServer(text(200, ''), certificateFor('localhost', dates));
    const diagnosis = await diagnosed(origin.replace('127.0.0.1', 'localhost'));
    expect(stepOf(diagnosis, 'tls')).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining(problem),
      fix: expect.stringContaining(fix),
    });
    expect(stepOf(diagnosis, 'http')).toMatchObject({ status: 'skipped', summary: 'needs TLS' });
  });

  it('suggests http when a port does not speak TLS', async () => {
    const origin = await startNodeServer(text(200, ''));
    const diagnosis = await diagnosed(origin.replace('http:', 'https:'));
    expect(stepOf(diagnosis, 'tls').fix).toContain('http://');
  });

  it.each([
    [
      'a page of HTML',
      text(200, '<!doctype html><title>Shop\u001b[31m</title>', {
        'content-type': 'text/html',
        server: 'nginx',
      }),
      'HTTP 200: a page of HTML of nginx, titled "Shop"',
      'not an MCP server',
    ],
    ['404', text(404, 'no'), 'HTTP 404: text that is not JSON-RPC: no', 'Look up the path'],
    ['a proxy', text(502, 'Bad Gateway', { server: 'cloudflare' }), 'HTTP 502', 'behind it'],
    ['a redirect', text(302, '', { location: '/other' }), 'redirects to http://127.0.0.1', 'Use http://127'],
    [
      'a redirect to another site',
      text(308, '', { location: 'https://other.example/mcp' }),
      'https://other.example',
      'Use https',
    ],
    ['a login page', text(302, '', { location: '/login' }), '/login', 'login page for browsers'],
    ['too many requests', text(429, '', { 'retry-after': '7' }), 'HTTP 429', 'wait 7 s'],
    ['403', text(403, 'Invalid Host'), 'HTTP 403', 'rebinding'],
  ])('explains %s', async (...[, answer, summary, fix]) => {
    const step = stepOf(await diagnosed(`${await startNodeServer(answer)}/x`), 'http');
    expect(step).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining(summary),
      fix: expect.stringContaining(fix),
    });
  });

  it('warns of a redirect inside the origin, and goes on', async () => {
    const url = await startGoodServer();
    const origin = await startNodeServer((request, response) => {
      if (request.url === '/mcp') response.writeHead(308, { location: '/mcp/' }).end();
      else
        fetch(url, {
          method: 'POST',
          headers: Object(request.headers),
          body: request,
          duplex: 'half',
        } as never).then(
          async (answer) =>
            response
              .writeHead(answer.status, { 'content-type': 'application/json' })
              .end(await answer.text()),
          () => response.destroy(),
        );
    });
    const diagnosis = await diagnosed(`${origin}/mcp`);
    expect(stepOf(diagnosis, 'http')).toMatchObject({
      status: 'warned',
      fix: expect.stringContaining(`Use ${origin}/mcp/ itself`),
    });
    expect(stepOf(diagnosis, 'lists').status).toBe('passed');
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9\r\n', 'does not speak HTTP', 'compare the port'],
    ['a server that hangs up', '', 'closed without an answer', 'https://127.0.0.1'],
  ])('explains %s', async (...[, greeting, summary, fix]) => {
    const server = createNetServer((socket) => socket.on('error', () => {}).end(greeting));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    expect(stepOf(await diagnosed(`http://127.0.0.1:${port}/mcp`), 'http')).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining(summary),
      fix: expect.stringContaining(fix),
    });
  });

  it('reads a bounded part of an answer without an end', async () => {
    const origin = await startNodeServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (response.write('x'.repeat(10_000)));
        response.once('drain', more);
      };
      more();
    });
    const step = stepOf(await diagnosed(`${origin}/mcp`), 'http');
    expect(step.summary).toMatch(/^HTTP 200: text\/plain that is not JSON-RPC: x+\.\.\.$/);
  });

  it('finds the path of the server when the path is wrong', async () => {
    const url = await startGoodServer();
    const step = stepOf(await diagnosed(url.replace('/mcp', '/api')), 'http');
    expect(step).toMatchObject({ status: 'failed', fix: expect.stringContaining(url) });
  });

  it('fails at the step of a server that accepts and never answers', async () => {
    const origin = await startNodeServer(() => {});
    const diagnosis = await diagnosed(`${origin}/mcp`, { timeout: 300 });
    expect(stepOf(diagnosis, 'http').summary).toBe('no answer within 0.3 s');
  });

  it('warns when a server of this machine accepts any Host and Origin', async () => {
    const origin = await startNodeServer(
      text(200, JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'No' } })),
    );
    const diagnosis = await diagnosed(`${origin}/mcp`);
    expect(stepOf(diagnosis, 'rebinding')).toMatchObject({
      status: 'warned',
      summary: expect.stringContaining('any Host and any Origin'),
    });
    expect(stepOf(diagnosis, 'revision').status).toBe('failed');
  });

  it('warns when the clock of a server differs', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const origin = await startNodeServer(text(200, '{"jsonrpc":"2.0","id":1,"result":{}}', { date }));
    expect(stepOf(await diagnosed(origin), 'clock')).toMatchObject({
      status: 'warned',
      summary: expect.stringContaining('ahead'),
    });
  });

  it('lists the CORS headers that a page lacks', async () => {
    const diagnosis = await diagnosed(await startGoodServer(), { origin: 'https://app.example' });
    expect(stepOf(diagnosis, 'cors')).toMatchObject({ status: 'failed', reason: 'findings' });
  });

  it('passes CORS when the server allows the origin', async () => {
    const server = createServer({ name: 'notes', version: '1.0.0' }).tool('add', {}, () => 'added');
    const serving = await serveHttp(server, { cors: {}, allowedOrigins: ['https://app.example'] });
    onTestFinished(() => serving.close());
    const diagnosis = await diagnosed(serving.url, { origin: 'https://app.example' });
    expect(stepOf(diagnosis, 'cors')).toMatchObject({ status: 'passed' });
  });
});

describe('a diagnosis with sign-in', () => {
  it('signs in, and passes all steps', async () => {
    const authorization = await startTestAuthorizationServer({ user: 'ada' });
    const { issuer } = authorization;
    const server = createServer({ name: 'notes', version: '1.0.0' }).tool('add', {}, () => 'added');
    const serving = await serveHttp(server, {
      guard: (resource) =>
        new ResourceGuard({ resource, authorizationServers: [issuer], verify: jwtVerifier() }),
    });
    onTestFinished(async () => {
      await Promise.all([serving.close(), authorization.close()]);
    });
    const interaction = scriptedBrowser();
    const auth = oauth({ client: { name: 'Doctor' }, interaction });
    const diagnosis = await diagnosed(serving.url, { auth });
    expect(diagnosis.ok).toBe(true);
    expect(stepOf(diagnosis, 'sign-in').summary).toBe('the server accepts the token');
    expect(stepOf(diagnosis, 'authorization-server').status).toBe('passed');
    expect(interaction.opened).toHaveLength(1);
    const other = oauth({ client: { name: 'Doctor' }, interaction: { ...interaction, begin: () => fail() } });
    const denied = await diagnosed(serving.url, { auth: other });
    expect(stepOf(denied, 'sign-in')).toMatchObject({
      status: 'failed',
      reason: 'authorization',
      fix: expect.stringContaining('tenon login'),
    });
  });
});

function fail(): never {
  throw new AuthError('sign-in-needed', 'No browser can be opened.');
}

describe('the diagnosis of sign-in', () => {
  const bearer = 'Bearer resource_metadata="http://127.0.0.1/none", scope="notes"';

  it('passes the documents of a protected server, and fails without a token', async () => {
    const origin = await startNodeServer(
      protectedBy((own) => ({ [resourcePath]: goodResource(own), [serverPath]: goodServer(own) }), bearer),
    );
    const diagnosis = await diagnosed(`${origin}/mcp`);
    expect(diagnosis.reason).toBe('authorization');
    expect(stepOf(diagnosis, 'rebinding').summary).toContain('requires a token');
    expect(stepOf(diagnosis, 'challenge').status).toBe('passed');
    expect(stepOf(diagnosis, 'resource-metadata').status).toBe('passed');
    expect(stepOf(diagnosis, 'authorization-server').summary).toContain('PKCE, dynamic registration');
    expect(stepOf(diagnosis, 'sign-in')).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining(`tenon login ${origin}/mcp`),
    });
  });

  it.each([
    ['no challenge', undefined, 'without a WWW-Authenticate header'],
    ['another scheme', 'Basic realm="x"', 'not Bearer'],
    ['no resource_metadata', 'Bearer realm="x"', 'without resource_metadata'],
  ])('warns of %s', async (_, challenge, summary) => {
    const origin = await startNodeServer(protectedBy(() => ({}), challenge));
    const diagnosis = await diagnosed(`${origin}/mcp`);
    expect(stepOf(diagnosis, 'challenge')).toMatchObject({
      status: 'warned',
      summary: expect.stringContaining(summary),
    });
    expect(stepOf(diagnosis, 'resource-metadata')).toMatchObject({
      status: 'warned',
      fix: expect.stringContaining(resourcePath),
    });
  });

  it('fails when the resource is another one', async () => {
    const documents = (own: string) => ({
      [resourcePath]: { ...goodResource(own), resource: 'https://other.example' },
    });
    const origin = await startNodeServer(protectedBy(documents, bearer));
    expect(stepOf(await diagnosed(`${origin}/mcp`), 'resource-metadata')).toMatchObject({
      status: 'failed',
      reason: 'authorization',
      summary: expect.stringContaining('https://other.example'),
    });
  });

  it.each([
    [
      'another issuer',
      { issuer: 'https://other.example' },
      'failed',
      'names the issuer https://other.example',
    ],
    ['no PKCE', { code_challenge_methods_supported: undefined }, 'failed', 'does not list PKCE'],
    ['no token endpoint', { token_endpoint: undefined }, 'failed', 'no token_endpoint'],
    ['no registration', { registration_endpoint: undefined }, 'warned', 'cannot register themselves'],
  ])('reports an authorization server with %s', async (...[, change, status, summary]) => {
    const documents = (own: string) => ({
      [resourcePath]: goodResource(own),
      [serverPath]: { ...goodServer(own), ...change },
    });
    const origin = await startNodeServer(protectedBy(documents, bearer));
    expect(stepOf(await diagnosed(`${origin}/mcp`), 'authorization-server')).toMatchObject({
      status,
      summary: expect.stringContaining(summary),
      fix: expect.any(String),
    });
  });

  it('does not follow metadata to a private address from a public server', async () => {
    const origin = await startNodeServer(
      protectedBy(
        (own) => ({ [resourcePath]: { ...goodResource(own), authorization_servers: ['https://10.0.0.1'] } }),
        bearer,
      ),
    );
    const step = stepOf(await diagnosed(`${origin}/mcp`), 'authorization-server');
    expect(step.status).toBe('failed');
  });

  it('fails when the given token is rejected, and never shows the token', async () => {
    const origin = await startNodeServer(protectedBy(() => ({}), 'Bearer error="invalid_token"'));
    const diagnosis = await diagnosed(`${origin}/mcp`, {}, { authorization: 'Bearer hush-hush' });
    expect(stepOf(diagnosis, 'sign-in').summary).toContain('rejects the token');
    expect(JSON.stringify(diagnosis)).not.toContain('hush-hush');
  });
});
