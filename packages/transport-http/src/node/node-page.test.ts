import { createServer as createPlainServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { otherBounds } from '@tenon/foundation';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PageHandler, toNodePage } from './node-page.js';

/** Answers with a description of the request. */
const echo: PageHandler = async (request) => {
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const body = method === 'GET' ? undefined : await request.text();
  return Response.json({ method, path: pathname + search, cookie: headers.get('cookie'), body });
};

describe('toNodePage', () => {
  /** A server of the application. */
  async function own(
    handle: ReturnType<typeof toNodePage>,
    before: (request: IncomingMessage) => unknown = () => {},
  ) {
    const server = createPlainServer(async (request, response) => {
      await before(request);
      handle(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('serves a handler in the application’s own server, with the client’s path', async () => {
    const mounted = (request: IncomingMessage) =>
      Object.assign(request, { originalUrl: request.url, url: request.url?.replace('/connect', '') || '/' });
    const origin = await own(toNodePage(echo), mounted);
    expect(await (await fetch(`${origin}/connect/return?a=1`)).json()).toMatchObject({
      path: '/connect/return?a=1',
    });
    const form = { method: 'POST', body: 'a=1' };
    expect(await (await fetch(`${origin}/connect`, form)).json()).toMatchObject({
      method: 'POST',
      body: 'a=1',
    });
  });

  it('limits bodies, and reports errors to onError', async () => {
    const errors: unknown[][] = [];
    const onError = (...reported: unknown[]) => {
      errors.push(reported);
      throw new Error('The log is full.');
    };
    const boom = new Error('boom');
    const origin = await own(
      toNodePage(() => Promise.reject(boom), { onError, ...otherBounds({ bodyBytes: 3 }) }),
    );
    expect((await fetch(origin, { method: 'POST', body: 'four' })).status).toBe(413);
    expect((await fetch(origin)).status).toBe(500);
    expect(errors).toEqual([[boom, 'pages']]);
  });

  it('writes errors to the console by default', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => written.mockRestore());
    const boom = new Error('boom');
    await fetch(await own(toNodePage(() => Promise.reject(boom))));
    expect(written).toHaveBeenCalledWith('pages', boom);
  });

  it('reports a body that was read earlier', async () => {
    const errors: unknown[][] = [];
    const read = async (request: IncomingMessage) => {
      for await (const _ of request);
    };
    const origin = await own(toNodePage(echo, { onError: (...reported) => errors.push(reported) }), read);
    expect((await fetch(origin, { method: 'POST', body: 'a=1' })).status).toBe(500);
    expect(errors).toEqual([[expect.any(TypeError), 'pages']]);
    expect((await fetch(origin)).status).toBe(200);
  });

  it.each<[unknown, unknown, RegExp]>([
    [undefined, {}, /needs a function/],
    [echo, { bodyByte: 1 }, /no option "bodyByte"/],
    [echo, { onError: 'console' }, /must be a function/],
  ])('rejects invalid arguments', (handler, options, message) => {
    expect(() => toNodePage(handler as never, options as never)).toThrow(message);
  });
});
