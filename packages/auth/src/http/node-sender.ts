import type { Agent, Dispatcher } from 'undici';
import { AuthError } from '../auth-error.js';
import { boundedText } from './bounded-text.js';
import { type ConnectorParts, guardedConnector } from './guarded-connector.js';
import type { Hop, HopResponse, HopSender } from './hop.js';

/** Options of {@link nodeSender}. */
export interface NodeSenderParts extends ConnectorParts {
  /** Bytes of one response, at most. */
  readonly bytes: number;
}

// Firewalls reject requests without a user agent, and some servers log it.
const agentName = 'tenon-mcp';

// Bytes of all headers of a response.
const mostHeaderBytes = 16_384;

/**
 * Returns a sender that uses connections of undici, which is loaded with the first request. The addresses of a name are
 * checked by {@link guardedConnector} when it connects.
 */
export function nodeSender(options: NodeSenderParts): HopSender {
  let opening: Promise<NodeSender> | undefined;
  return async (hop) => {
    opening ??= openSender(options);
    return (await opening).send(hop);
  };
}

async function openSender(options: NodeSenderParts): Promise<NodeSender> {
  const undici = await import('undici');
  const agent = new undici.Agent({
    connect: guardedConnector(options, undici.buildConnector),
    maxHeaderSize: mostHeaderBytes,
    // `withinTime` bounds the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return new NodeSender(agent, options.bytes);
}

class NodeSender {
  readonly #agent: Agent;
  readonly #bytes: number;

  constructor(agent: Agent, bytes: number) {
    this.#agent = agent;
    this.#bytes = bytes;
  }

  async send({ method, url, headers, body, signal }: Hop): Promise<HopResponse> {
    const { origin, pathname, search } = url;
    const answer = await this.#agent.request({
      origin,
      path: pathname + search,
      method,
      headers: { 'user-agent': agentName, ...headers },
      body: body ?? null,
      signal,
    });
    // Destroying a body that was not read makes it emit an error.
    answer.body.on('error', () => {});
    try {
      return await readAnswer(answer, url, this.#bytes);
    } finally {
      answer.body.destroy();
    }
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
  const text = await boundedText(answer.body, { bytes, url, length: header('content-length') });
  return { status: answer.statusCode, header, text };
}
