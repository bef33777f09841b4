import { describe, expect, it } from 'vitest';
import { FakeCall } from '../../test/fake-call.js';
import { listening } from '../../test/fake-listening.js';
import { stateless } from '../../test/fake-service.js';
import { post } from '../../test/raw-http.js';
import { RequestGuard } from '../server/admission/request-guard.js';
import type { HttpCall } from '../server/call/http-call.js';

const [value, headers] = stateless(1);
const ask = (more: Readonly<Record<string, string>> = {}) =>
  post(JSON.stringify(value), { ...headers, ...more });
const aimed = (target: string, text = ask()) => text.replace('/mcp', target);
const get = (target: string, host = 'host: localhost') => `GET ${target} HTTP/1.1\r\n${host}\r\n\r\n`;

const mount = {
  paths: ['/mounted'],
  handle: (call: HttpCall) => {
    call.send(200, {}, call.url);
  },
  drain: () => Promise.resolve(),
};
const page = {
  paths: ['/page'],
  handler: ({ url, headers: given }: Request) => new Response(`${url} ${given.get('host')}`),
};
async function answer(text: string) {
  const server = await listening({ mounts: [mount], pages: [page] });
  const [response] = await (await server.open()).write(text).count(1);
  return response;
}

describe('a request with a whole URL as its target', () => {
  it.each([
    ['the endpoint', aimed('http://localhost:3000/mcp'), '"id":1'],
    ['the endpoint, with a query', aimed('http://localhost/mcp?x=1'), '"id":1'],
    ['a mount', get('http://127.0.0.1/mounted?y=/z'), '/mounted?y=/z'],
    ['the health check', get('http://localhost/healthz'), 'ok'],
    [
      'a page',
      get('http://localhost:9/page?z=1', 'host: evil.example'),
      'http://localhost:9/page?z=1 localhost:9',
    ],
  ])('reaches %s', async (_, text, expected) => {
    const response = await answer(text);
    expect(response?.status).toBe(200);
    expect(response?.body).toContain(expected);
  });

  it.each([
    ['the endpoint', aimed('http://evil.example/mcp')],
    ['a mount', get('http://evil.example/mounted')],
    ['a page', get('http://evil.example/page')],
  ])('is rejected at %s for its host, whatever the Host header', async (_, text) => {
    expect((await answer(text))?.status).toBe(403);
  });
});

describe('a header that is sent twice', () => {
  it.each([
    'Host',
    'Origin',
    'Content-Type',
    'Mcp-Session-Id',
    'Mcp-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
  ])('is rejected with 400, and named: %s', async (name) => {
    const line = `${name}: http://localhost\r\n${name.toLowerCase()}: http://localhost\r\n`;
    const text = ask().replace('\r\n', `\r\n${line}`);
    const response = await answer(text);
    expect(response?.status).toBe(400);
    expect(JSON.parse(response?.body ?? '').error.message).toBe(
      `The header ${name.toLowerCase()} was sent more than once; send it once.`,
    );
  });

  it('is also rejected for mounts and pages', async () => {
    const twice = 'host: localhost\r\nhost: localhost';
    for (const path of ['/mounted', '/page']) expect((await answer(get(path, twice)))?.status).toBe(400);
  });

  it('is accepted if its values are a list', async () => {
    const text = ask({ accept: 'application/json' }).replace('\r\n', '\r\naccept: text/event-stream\r\n');
    expect((await answer(text))?.status).toBe(200);
  });

  it.each(['host', 'origin'])('is rejected if a runtime joined the values: %s', (name) => {
    const call = new FakeCall({ headers: { host: 'localhost', [name]: 'localhost, evil.example' } });
    new RequestGuard({}, () => undefined).admit(call, () => undefined);
    expect(call.status).toBe(400);
  });
});
