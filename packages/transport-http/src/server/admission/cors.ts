import type { HttpCall } from '../call/http-call.js';
import type { CorsOptions } from './request-guard-options.js';

/** Request headers of all revisions that a page must be allowed to send. */
const sent: readonly string[] = [
  'accept',
  'authorization',
  'content-type',
  'dpop',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];

/** Response headers that a page must be allowed to read. */
const exposed = 'Mcp-Session-Id, WWW-Authenticate, DPoP-Nonce, Retry-After';
const maxNames = 64;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;

/** Allows pages of other origins to send requests, after the request guard has accepted their origin. */
export class Cors {
  readonly #sent: readonly string[];

  /** @throws TypeError if a header name is malformed. */
  constructor({ headers = [] }: CorsOptions) {
    for (const name of headers) {
      if (!headerName.test(name))
        throw new TypeError(`cors.headers: ${JSON.stringify(name)} is not a valid header name.`);
    }
    this.#sent = [...sent, ...headers.map((name) => name.toLowerCase())];
  }

  /** Adds the CORS headers to the response. Answers a preflight request and returns true. */
  answers(call: HttpCall): boolean {
    const origin = call.header('origin');
    call.addHeaders({ vary: 'Origin' });
    if (origin === undefined) return false;
    call.addHeaders({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed });
    if (call.method !== 'OPTIONS' || call.header('access-control-request-method') === undefined) return false;
    call.send(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': this.#allowed(call.header('access-control-request-headers')),
      'access-control-max-age': '7200',
    });
    return true;
  }

  /** Returns the headers of the protocol, and the requested headers that repeat tool parameters: those have no fixed names. */
  #allowed(requested = ''): string {
    const names = requested
      .split(',', maxNames)
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name.startsWith('mcp-param-') && headerName.test(name));
    return [...this.#sent, ...names].join(', ');
  }
}
