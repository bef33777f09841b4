import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Guard } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeApplication } from '../../test/fake-application.js';
import { FakeGuard } from '../../test/fake-guard.js';
import { stateless } from '../../test/fake-service.js';
import { post, RawHttp } from '../../test/raw-http.js';
import type { ServerGuard } from '../server/call/application.js';
import { fetchHandler } from '../server/fetch/fetch-handler.js';
import type { HttpOptions } from '../server/http-options.js';
import { listenHttp } from './listening.js';
import { nodeHandler } from './node-handler.js';

/** Serves an application, and returns a function that sends requests to it. */
type Face = (application: FakeApplication, options?: HttpOptions) => Promise<Ask>;
type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const asking =
  (origin: string): Ask =>
  (path, init) =>
    fetch(origin + path, init);

const faces: Record<string, Face> = {
  async listen(application, options = {}) {
    const serving = await listenHttp(application, { limits: { drain: 100 }, ...options });
    onTestFinished(() => serving.close());
    return asking(new URL(serving.url).origin);
  },
  async 'a node handler'(application, options = {}) {
    const server = createServer(nodeHandler(application, options)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return asking(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  },
  async 'a fetch handler'(application, options = {}) {
    const handler = fetchHandler(application, options);
    return (path, init) => handler(new Request(`http://localhost${path}`, init));
  },
};

/** An application with an optional guard. */
class GuardedApplication extends FakeApplication {
  readonly serverGuard: ServerGuard & { guard?: Guard } = {};
}

const [message, version] = stateless(1);
const call = (authorization?: string): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(message),
  headers: {
    'content-type': 'application/json',
    ...(version as Record<string, string>),
    ...(authorization !== undefined && { authorization }),
  },
});

describe.each(Object.entries(faces))('a guarded application behind %s', (_title, face) => {
  it('answers only callers that the guard admits', async () => {
    const application = new GuardedApplication();
    const ask = await face(application);
    application.serverGuard.guard = new FakeGuard();
    const refused = await ask('/mcp', call());
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Fake']);
    expect(application.values).toEqual([]);
    expect((await ask('/mcp', call('ada'))).status).toBe(200);
  });

  it('shows its documents without authorization', async () => {
    const application = new GuardedApplication();
    application.serverGuard.guard = new FakeGuard();
    const ask = await face(application);
    const headers = { origin: 'https://anywhere.example' };
    const got = await ask('/.well-known/known', { headers });
    expect([got.status, got.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await got.json()).toEqual({ known: true });
    const head = await ask('/.well-known/known', { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect([null, '14']).toContain(head.headers.get('content-length'));
    expect((await ask('/.well-known/known', { method: 'OPTIONS', headers })).status).toBe(204);
  });

  it('rejects authenticate beside the guard', async () => {
    const application = new GuardedApplication();
    application.serverGuard.guard = new FakeGuard();
    await expect(face(application, { authenticate: () => undefined })).rejects.toThrow(
      /leave authenticate out/,
    );
  });
});

describe('a handler', () => {
  it.each([nodeHandler, fetchHandler])('accepts one guard of its own, and rejects a second: %o', (make) => {
    const handler = make(new FakeApplication(), {});
    expect(handler.guard(new FakeGuard())).toBe(handler);
    expect(() => handler.guard(new FakeGuard())).toThrow(/a guard already/);
    const other = make(new FakeApplication(), { authenticate: () => undefined });
    expect(() => other.guard(new FakeGuard())).toThrow(/leave authenticate out/);
  });

  it('with its own guard admits callers that this guard admits', async () => {
    const handler = fetchHandler(new FakeApplication(), {}).guard(new FakeGuard());
    const come = (authorization?: string) =>
      handler(new Request('http://localhost/mcp', call(authorization)));
    expect([(await come()).status, (await come('ada')).status]).toEqual([401, 200]);
  });

  it('still calls its guard when the application passes a principal', async () => {
    const handler = fetchHandler(new FakeApplication(), {}).guard(new FakeGuard());
    const request = new Request('http://localhost/mcp', call());
    expect((await handler.serve(request, { principal: { id: 'ada' } })).status).toBe(401);
  });
});

it('passes both Authorization headers of a request', async () => {
  const application = new GuardedApplication();
  const guard = new FakeGuard();
  application.serverGuard.guard = guard;
  const serving = await listenHttp(application, { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  const client = await RawHttp.open(serving.url);
  const lines = post(JSON.stringify(message), version as Record<string, string>);
  client.write(lines.replace('\r\n', '\r\nAuthorization: one\r\nauthorization: two\r\n'));
  await client.count(1);
  client.socket.destroy();
  expect(guard.asked[0]?.header('authorization')).toBe('one, two');
});

it('health checks need no authorization', async () => {
  const application = new GuardedApplication();
  application.serverGuard.guard = new FakeGuard();
  const ask = await faces.listen?.(application);
  expect((await ask?.('/healthz'))?.status).toBe(200);
  expect((await ask?.('/nowhere'))?.status).toBe(404);
});
