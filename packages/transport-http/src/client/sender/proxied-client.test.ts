import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type HttpProxyOptions, startHttpProxy } from '../../../../../tooling/suite/services/http-proxy.js';
import { tlsIdentity } from '../../../../../tooling/suite/services/tls-identity.js';
import { openSender } from '../../undici.js';
import type { HttpSender } from './http-sender.js';

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A server of mcp.example behind a proxy, which the environment names. */
async function rig(protocol: 'http' | 'https', listener: RequestListener, options: HttpProxyOptions = {}) {
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const proxy = await startHttpProxy(options);
  const server = protocol === 'http' ? createServer(listener) : createTlsServer(tlsIdentity, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  vi.stubEnv(`${protocol.toUpperCase()}_PROXY`, proxy.url);
  const origin = `${protocol}://mcp.example:${port}`;
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await proxy.close();
  });
  return { origin, proxy, port, warnings };
}

async function open(origin: string, connectWaitMs = 5_000): Promise<HttpSender> {
  const sender = await openSender(origin, { connectWaitMs });
  onTestFinished(() => sender.close());
  return sender;
}

/** Sends a request, and returns the status and body of the response. */
function ask(
  sender: HttpSender,
  body = '{}',
  onChunk = (_: string) => {},
): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    let [status, text] = [0, ''];
    sender.request(
      { method: 'POST', path: '/mcp?x=1', headers: ['content-type', 'text/plain'], body },
      {
        head: (given) => {
          status = given;
        },
        chunk(bytes) {
          const part = new TextDecoder().decode(bytes);
          text += part;
          onChunk(part);
        },
        end: () => resolve([status, text]),
        failed: reject,
      },
    );
  });
}

const echo: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => response.end(`${request.headers.host} ${request.url} ${body}`));
};

describe('a sender behind a proxy of the environment', () => {
  it('reaches an https server through one tunnel for requests in turn', async () => {
    const { origin, proxy, port, warnings } = await rig('https', echo);
    const sender = await open(origin);
    for (const body of ['one', 'two'])
      expect(await ask(sender, body)).toEqual([200, `mcp.example:${port} /mcp?x=1 ${body}`]);
    expect(proxy.asked).toEqual([`CONNECT mcp.example:${port}`]);
    // Node itself warns of the certificate that the test accepts.
    const printed = warnings.mock.calls.map(([text]) => String(text)).filter((text) => !text.includes('TLS'));
    expect(printed).toEqual([]);
  });

  it('sends requests for an http server with the whole URL', async () => {
    const { origin, proxy, port } = await rig('http', echo);
    expect(await ask(await open(origin))).toEqual([200, `mcp.example:${port} /mcp?x=1 {}`]);
    expect(proxy.asked).toEqual([`POST ${origin}/mcp?x=1`]);
  });

  it.each(['http', 'https'] as const)(
    'receives the events of a stream over %s as they come',
    async (protocol) => {
      let next = () => {};
      const { origin } = await rig(protocol, (request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        next = () => response.end('data: 2\n\n');
      });
      const parts: string[] = [];
      const onChunk = (part: string) => {
        parts.push(part);
        if (parts.length === 1) next();
      };
      expect(await ask(await open(origin), '{}', onChunk)).toEqual([200, 'data: 1\n\ndata: 2\n\n']);
      expect(parts.length).toBeGreaterThan(1);
    },
  );

  it.each(['http', 'https'] as const)('sends the user name of the variable over %s', async (protocol) => {
    const { origin, proxy } = await rig(protocol, echo, { credentials: 'ada:p@ss' });
    vi.stubEnv(`${protocol.toUpperCase()}_PROXY`, proxy.url.replace('://', '://ada:p%40ss@'));
    expect(await ask(await open(origin))).toMatchObject([200, expect.any(String)]);
  });

  it('names a proxy that requires a user name', async () => {
    const { origin, proxy } = await rig('https', echo, { credentials: 'ada:p@ss' });
    await expect(ask(await open(origin))).rejects.toThrow(
      `The request to ${origin} through the proxy ${proxy.url} failed: the proxy answered HTTP 407; write the user name`,
    );
  });

  it('names a proxy that cannot be reached, without its password', async () => {
    const { origin, proxy } = await rig('https', echo);
    await proxy.close();
    vi.stubEnv('HTTPS_PROXY', proxy.url.replace('://', '://ada:secret@'));
    await expect(ask(await open(origin))).rejects.toThrow(
      `The request to ${origin} through the proxy ${proxy.url} failed: nothing listens there (ECONNREFUSED).`,
    );
  });

  it('fails within the time to connect when the proxy does not answer', async () => {
    const { origin, proxy } = await rig('https', echo, { isSilent: true });
    await expect(ask(await open(origin, 50))).rejects.toThrow(`through the proxy ${proxy.url} failed`);
  });

  it.each(['http', 'https'] as const)(
    'ends an aborted request over %s, and closes every socket',
    async (protocol) => {
      const ended = deferred();
      const { origin } = await rig(protocol, (request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        request.socket.on('close', () => ended.resolve());
      });
      const sender = await open(origin);
      const begun = deferred();
      const exchange = sender.request(
        { method: 'POST', path: '/', headers: [], body: '{}' },
        { head() {}, chunk: () => begun.resolve(), end() {}, failed() {} },
      );
      await begun.promise;
      exchange.abort();
      await ended.promise;
      await sender.close();
    },
  );

  it('connects directly where NO_PROXY names the host, and to this machine', async () => {
    const { proxy, port } = await rig('http', echo);
    expect(await ask(await open(`http://127.0.0.1:${port}`))).toEqual([200, `127.0.0.1:${port} /mcp?x=1 {}`]);
    vi.stubEnv('NO_PROXY', '.example');
    await expect(ask(await open(`http://mcp.example:${port}`))).rejects.toThrow();
    expect(proxy.asked).toEqual([]);
  });
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
