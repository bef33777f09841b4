import { type Clock, withDeadline } from '@tenon/foundation';
import { type EnvironmentProxy, environmentProxy } from '@tenon/mcp-protocol/internal';
import type * as Undici from 'undici';
import type { Agent, Dispatcher } from 'undici';
import { AuthError } from '../auth-error.js';
import {
  addressOf,
  type ConnectorParts,
  guardedConnector,
  type Lookup,
  permittedOf,
  systemLookup,
} from './guarded-connector.js';
import {
  boundedBody,
  type Hop,
  type HopResponse,
  type HopSender,
  requestFailure,
  tooLargeAt,
} from './hop.js';
import { literalAddress } from './url-host.js';

export interface NodeSenderParts extends ConnectorParts {
  /** Bytes of one response, at most. */
  readonly bytes: number;
  readonly clock: Clock;
}

// Firewalls reject requests without a user agent, and some servers log it.
const agentName = 'tenon-mcp';

// Bytes of all headers of a response.
const mostHeaderBytes = 16_384;

/** Milliseconds to look up a name that a proxy is going to look up again. */
const nameTime = 2_000;

/**
 * Returns a sender that uses connections of undici, which is loaded with the first request. The addresses of a name are
 * checked by {@link guardedConnector} when it connects. A proxy of the environment looks names up itself: then those addresses
 * are checked that this machine finds, if it finds any.
 */
export function nodeSender(options: NodeSenderParts): HopSender {
  let opening: Promise<NodeSender> | undefined;
  return async (hop) => {
    opening ??= import('undici').then((undici) => new NodeSender(undici, options));
    return (await opening).send(hop);
  };
}

// `withDeadline` bounds the whole request.
const agentLimits = { maxHeaderSize: mostHeaderBytes, headersTimeout: 0, bodyTimeout: 0 };

class NodeSender {
  readonly #undici: typeof Undici;
  readonly #options: NodeSenderParts;
  readonly #agent: Agent;
  /** The agent of the last proxy; the environment rarely names two. */
  #proxied: { readonly proxy: EnvironmentProxy; readonly agent: Dispatcher } | undefined;

  constructor(undici: typeof Undici, options: NodeSenderParts) {
    this.#undici = undici;
    this.#options = options;
    const connect = guardedConnector(options, undici.buildConnector);
    this.#agent = new undici.Agent({ ...agentLimits, connect });
  }

  async send({ method, url, headers, body, signal }: Hop): Promise<HopResponse> {
    const { origin, pathname, search } = url;
    const proxy = environmentProxy(url);
    if (proxy !== undefined) await this.#checkName(url, signal);
    const agent = proxy === undefined ? this.#agent : this.#through(proxy);
    const sent = agent.request({
      origin,
      path: pathname + search,
      method,
      headers: { 'user-agent': agentName, ...headers },
      body: body ?? null,
      signal,
    });
    const answer = await sent.catch((error: unknown) => {
      throw requestFailure(error, url, proxy?.origin);
    });
    // Destroying a body that was not read makes it emit an error.
    answer.body.on('error', () => {});
    try {
      return await readAnswer(answer, url, this.#options.bytes);
    } finally {
      answer.body.destroy();
    }
  }

  #through(proxy: EnvironmentProxy): Dispatcher {
    const known = this.#proxied;
    if (known?.proxy.origin === proxy.origin && known.proxy.authorization === proxy.authorization)
      return known.agent;
    const { timeout } = this.#options;
    const agent = new this.#undici.ProxyAgent({
      ...agentLimits,
      uri: proxy.origin,
      ...(proxy.authorization !== undefined && { token: proxy.authorization }),
      proxyTunnel: false,
      proxyTls: { timeout },
      requestTls: { timeout },
    });
    this.#proxied = { proxy, agent };
    return agent;
  }

  /** @throws AuthError `forbidden-address` if this machine finds only addresses for the host that the policy rejects. */
  async #checkName(url: URL, signal: AbortSignal): Promise<void> {
    const { policy, lookup, clock } = this.#options;
    // Addresses in URLs are checked before.
    if (policy.trusts(url) || literalAddress(url) !== undefined) return;
    const late = () => new AuthError('unreachable', `The name ${url.hostname} was not found in time.`);
    // The proxy may know names that this machine does not.
    const found = await withDeadline({ clock, ms: nameTime, holds: true, signal, late }, () =>
      lookup(url.hostname),
    ).catch(() => []);
    signal.throwIfAborted();
    if (found.length > 0) await permittedOf(found, url, policy);
  }
}

async function readAnswer(answer: Dispatcher.ResponseData, url: URL, bytes: number): Promise<HopResponse> {
  const header = (name: string): string | undefined => {
    const value = answer.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  };
  const encoding = header('content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new AuthError(
      'unreachable',
      `${url.origin} sent a compressed response to a request that accepts none.`,
    );
  }
  const length = header('content-length');
  const body = await boundedBody(answer.body, { bytes, length, tooLarge: () => tooLargeAt(url, bytes) });
  return { status: answer.statusCode, header, bytes: body };
}

/** Functions that Node has and a browser has not: resolve names, and check addresses when connecting. */
export interface NodeNetwork {
  readonly sender: typeof nodeSender;
  readonly addressOf: typeof addressOf;
  readonly lookup: Lookup;
}

export const network: NodeNetwork | undefined = { sender: nodeSender, addressOf, lookup: systemLookup };
