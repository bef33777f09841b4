import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import { connect } from 'node:net';

/**
 * Starts a proxy for HTTP at 127.0.0.1: tunnels (`CONNECT`), and requests with a whole URL. Each host is this machine, so that
 * tests can use names that do not exist.
 *
 * @param {import('./http-proxy.js').HttpProxyOptions} [options]
 * @returns {Promise<import('./http-proxy.js').HttpProxy>}
 */
export async function startHttpProxy({ credentials, isSilent = false } = {}) {
  /** @type {string[]} */
  const asked = [];
  /** @type {Set<import('node:stream').Duplex>} */
  const sockets = new Set();
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  /** @param {import('node:http').IncomingMessage} request */
  const isRefused = ({ headers }) => expected !== undefined && headers['proxy-authorization'] !== expected;

  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (isRefused(request)) return void response.writeHead(407).end();
    const { hostname: _, ...url } = partsOf(request.url ?? '');
    const { 'proxy-authorization': __, 'proxy-connection': ___, ...headers } = request.headers;
    const forwarded = sendRequest(
      { host: '127.0.0.1', ...url, method: request.method, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  server.on('connection', (socket) => keep(socket));
  server.on('connect', (request, client, head) => {
    asked.push(`CONNECT ${request.url}`);
    if (isSilent) return;
    if (isRefused(request)) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const port = Number(request.url?.replace(/^.*:/, ''));
    const upstream = keep(connect(port, '127.0.0.1'));
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });

  /** @param {import('node:net').Socket} socket */
  function keep(socket) {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** @param {string} href */
function partsOf(href) {
  const { hostname, port, pathname, search } = new URL(href);
  return { hostname, port: port || '80', path: pathname + search };
}
