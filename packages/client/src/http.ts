import type { AuthProvider } from '@tenon/mcp-protocol';
import { type HttpConnectionOptions, openHttp, requireHttpUrl } from '@tenon/mcp-transport-http/client';
import type { Dialer } from './session/dialer.js';

export type {
  Fetch,
  HeaderSource,
  HttpClientLimits,
  OpenSender,
} from '@tenon/mcp-transport-http/client';
export type { Dialer } from './session/dialer.js';

/** The options of a target over HTTP: every setting of the transport. */
export interface HttpTargetOptions extends Omit<HttpConnectionOptions, 'authorizer'> {
  /** Signs in if the server requires it, such as `oauth(...)` of `@tenon/mcp-auth/client`. */
  readonly auth?: AuthProvider | undefined;
}

/**
 * A target that reaches a server by its URL, in whichever revision and by whichever transport it has.
 * `connect(url, { headers, fetch })` does the same; here every setting of the transport can be given.
 * https://modelcontextprotocol.io/specification/latest/basic/transports
 * @throws TypeError or RangeError for an invalid URL or option.
 */
export function httpTarget(url: string | URL, options: HttpTargetOptions = {}): Dialer {
  const { auth, ...settings } = options;
  const server = requireHttpUrl(url);
  const { origin, pathname, search } = server;
  return {
    open: openHttp(url, { ...settings, authorizer: auth?.authorizer(server) }),
    restartable: true,
    server: origin + pathname,
    address: origin + pathname + search,
    async older() {
      const { sseTarget } = await import('./sse.js');
      const { headers, fetch, sender, clock, limits } = settings;
      return sseTarget(url, { auth, headers, fetch, sender, clock, limits });
    },
  };
}
