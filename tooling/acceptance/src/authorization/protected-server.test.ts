import { protect, ResourceGuard, type ResourceGuardOptions, type Verified } from '@tenon/mcp-auth/server';
import { createServer, type Server } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { serveHttp } from '@tenon/mcp-server/http';
import { serveMemory } from '@tenon/mcp-server/memory';
import { sseMount } from '@tenon/mcp-server/sse';
import { expect, onTestFinished, test } from 'vitest';

const issuer = 'https://auth.example.com';
const version = '2026-07-28';

/** The claims of the tokens in this file. */
const tokens: Readonly<Record<string, Verified>> = {
  reader: { id: 'ada', scopes: ['notes:read'] },
  writer: { id: 'ada', scopes: ['notes:all'] },
  nothing: { id: 'eve' },
};
const settings = {
  authorizationServers: [issuer],
  verify: (token: string) => tokens[token],
  scopes: { required: ['notes:read'], implies: { 'notes:all': ['notes:read', 'notes:write'] } },
};

function notes(errors: unknown[] = []) {
  return createServer({ name: 'notes', version: '1.0.0' }, { onError: (error) => errors.push(error) })
    .tool('who', {}, (_, ctx) => `${ctx.auth?.id} of ${ctx.auth?.issuer}`)
    .tool('write', { scopes: ['notes:write'] }, () => 'written')
    .tool('erase', { scopes: ['notes:write'] }, (_, ctx) => {
      ctx.requireScopes('notes:erase', 'notes:sign');
      return 'erased';
    }) as unknown as Server;
}

/** Serves on a port known after listening, protected from the first request. */
async function served(options: Partial<ResourceGuardOptions> = {}) {
  const errors: unknown[] = [];
  const server = notes(errors);
  const serving = await serveHttp(server, {
    mounts: [sseMount(server)],
    limits: { drain: 100 },
    guard: (resource) => new ResourceGuard({ resource, ...settings, ...options }),
  });
  onTestFinished(() => serving.close());
  return { server, errors, url: serving.url, origin: new URL(serving.url).origin };
}

/** Calls a tool with a token. */
function call(
  url: string,
  name: string,
  by: { token?: string; send?: typeof fetch } = {},
): Promise<Response> {
  const { token, send = fetch } = by;
  const stamp = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return send(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta: stamp } }),
  });
}

const challengeOf = (response: Response) => response.headers.get('www-authenticate');

test('protects a server after its URL is known, and refers requests without a token to the metadata', async () => {
  const { url, origin } = await served();
  const refused = await call(url, 'who');
  expect(refused.status).toBe(401);
  const [, metadata = ''] = /resource_metadata="([^"]*)"/.exec(challengeOf(refused) ?? '') ?? [];
  expect(metadata).toBe(`${origin}/.well-known/oauth-protected-resource/mcp`);
  const document = await fetch(metadata, { headers: { origin: 'https://app.example.com' } });
  expect(document.headers.get('access-control-allow-origin')).toBe('*');
  expect(await document.json()).toEqual({
    resource: url,
    authorization_servers: [issuer],
    scopes_supported: ['notes:read'],
    bearer_methods_supported: ['header'],
  });
});

test('authorizes the holder of a token under its subject', async () => {
  const { url } = await served();
  const answer = await call(url, 'who', { token: 'reader' });
  expect(await answer.json()).toMatchObject({ result: { content: [{ text: `ada of ${issuer}` }] } });
});

test('requires the scopes of a tool together with those of every request, and accepts a broader scope', async () => {
  const { url } = await served();
  const demanded = async (name: string, token: string) => {
    const response = await call(url, name, { token });
    return [response.status, /scope="([^"]*)"/.exec(challengeOf(response) ?? '')?.[1]];
  };
  expect(await demanded('who', 'nothing')).toEqual([403, 'notes:read']);
  expect(await demanded('write', 'reader')).toEqual([403, 'notes:read notes:write']);
  expect(await demanded('write', 'writer')).toEqual([200, undefined]);
  expect(await demanded('erase', 'writer')).toEqual([403, 'notes:read notes:write notes:erase notes:sign']);
});

test('does not read a request without a token', async () => {
  const { url } = await served();
  for (const headers of [{}, { authorization: 'Bearer unknown' }]) {
    const response = await fetch(url, { method: 'POST', headers, body: '{"broken' });
    expect(response.status).toBe(401);
  }
});

test('protects every endpoint, except health checks', async () => {
  const { origin } = await served();
  const statuses = ['/mcp', '/sse', '/healthz', '/elsewhere'].map(async (path) => {
    const response = await fetch(origin + path, { headers: { accept: 'text/event-stream' } });
    await response.body?.cancel();
    return response.status;
  });
  expect(await Promise.all(statuses)).toEqual([401, 401, 200, 404]);
});

test('answers 503 while tokens cannot be checked, without a challenge, and reports the error to the server', async () => {
  const boom = new Error('no keys');
  const { url, errors } = await served({ verify: () => Promise.reject(boom) });
  const response = await call(url, 'who', { token: 'reader' });
  expect([response.status, challengeOf(response)]).toEqual([503, null]);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.text()).not.toContain('keys');
  expect(errors).toEqual([boom]);
});

test('protects a fetch handler alone', async () => {
  const resource = 'http://localhost/mcp';
  const handler = protect(toFetchHandler(notes()), { resource, ...settings });
  const send: typeof fetch = (input, init) => handler(new Request(input, init));
  expect((await call(resource, 'who', { send })).status).toBe(401);
  expect((await call(resource, 'who', { token: 'reader', send })).status).toBe(200);
  const document = await send('http://localhost/.well-known/oauth-protected-resource/mcp');
  expect(await document.json()).toMatchObject({ resource });
});

test('does not protect transports without HTTP', async () => {
  const { server } = await served();
  const connection = serveMemory(server);
  const answers: unknown[] = [];
  const answered = new Promise<void>((resolve) => {
    connection.start({
      receive: (value) => {
        answers.push(value);
        resolve();
        return undefined;
      },
      malformed: () => undefined,
      closed: () => undefined,
    });
  });
  const stamp = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'write', _meta: stamp };
  void connection.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), { id: 1 });
  await answered;
  expect(answers).toMatchObject([{ result: { content: [{ text: 'written' }] } }]);
  await connection.close();
});
