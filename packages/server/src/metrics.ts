import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { optionRules, requireOptions } from '@tenon/foundation';
import { hostnameOf, isLoopback } from '@tenon/mcp-transport-http/server/internal';
import { type EventSource, ServerMetrics } from './metrics/server-metrics.js';

export { type EventSource, ServerMetrics } from './metrics/server-metrics.js';

/** Options of the metrics endpoint. */
export interface ServeMetricsOptions {
  /** Default: 9464; 0 for any free port. */
  readonly port?: number;
  /** The address to listen on. Default: 127.0.0.1. Any other address needs a `token`. */
  readonly host?: string;
  /** The bearer token that a reader must send. */
  readonly token?: string;
}

/** A metrics endpoint that is being served. */
export interface ServingMetrics {
  /** The address of the page. */
  readonly url: string;
  close(): Promise<void>;
}

/** Readers at the same time, and milliseconds in which each must send its request. */
const mostConnections = 64;
const longestRequest = 10_000;

const rules = {
  port: optionRules.notNegative,
  host: optionRules.text,
  token: optionRules.text,
};

/**
 * Serves the metrics of a server at `/metrics` in the text format of Prometheus, on a port of its own. Names of tools and methods are
 * labels; ids, addresses and principals never are.
 * Rejects if the port cannot be opened.
 * @throws TypeError if an option is invalid, or if the host is not a loopback address and there is no token.
 */
export async function serveMetrics(
  server: EventSource,
  options: ServeMetricsOptions = {},
): Promise<ServingMetrics> {
  requireOptions('serveMetrics', options, rules);
  const { port = 9_464, host = '127.0.0.1', token } = options;
  if (token === undefined && !isLoopback(host)) {
    throw new TypeError(
      `serveMetrics: the host ${host} can be reached by others. Give a token, which readers send as "Authorization: Bearer ...".`,
    );
  }
  const metrics = new ServerMetrics(server);
  const times = { requestTimeout: longestRequest, headersTimeout: longestRequest };
  const listening = createServer(times, (request, response) => {
    request.resume();
    const status = statusFor(request, token);
    const headers = {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    };
    response.writeHead(status, headers).end(status === 200 ? metrics.text() : '');
  });
  listening.maxConnections = mostConnections;
  try {
    await new Promise<void>((resolve, reject) => {
      listening.on('error', reject).listen(port, host, resolve);
    });
  } catch (error) {
    metrics.close();
    throw error;
  }
  const { port: open } = listening.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${open}/metrics`,
    close: () =>
      new Promise((resolve) => {
        metrics.close();
        listening.close(() => resolve());
        listening.closeAllConnections();
      }),
  };
}

function statusFor({ url = '', method, headers }: IncomingMessage, token: string | undefined): number {
  // A page in a browser reaches a loopback port by a name of its own.
  if (token === undefined && !isLoopback(hostnameOf(headers.host ?? '') ?? '')) return 403;
  if (token !== undefined && !isSame(headers.authorization ?? '', `Bearer ${token}`)) return 401;
  if (url.split('?', 1)[0] !== '/metrics') return 404;
  return method === 'GET' || method === 'HEAD' ? 200 : 405;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
