import type { Agent, Dispatcher } from 'undici';
import { AuthError } from '../auth-error.js';
import { boundedText } from './bounded-text.js';
import { type ConnectorParts, guardedConnector } from './guarded-connector.js';
import type { Hop, HopAnswer, HopSender } from './hop.js';

/** What a {@link nodeSender} goes by. */
export interface NodeSenderParts extends ConnectorParts {
  /** Bytes of one answer. */
  readonly bytes: number;
}

// Firewalls turn away who says nothing of himself, and some servers want to know.
const agentName = 'tenon-mcp';

// Bytes of all headers of an answer.
const mostHeaderBytes = 16_384;

/**
 * A sender on connections of undici, which is loaded when it is first needed. What a name stands for is judged where the
 * connection is made, so that no other answer of the name server can come in between.
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
    // Time is kept by whoever sends.
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

  async send({ method, url, headers, body, signal }: Hop): Promise<HopAnswer> {
    const { origin, pathname, search } = url;
    const answer = await this.#agent.request({
      origin,
      path: pathname + search,
      method,
      headers: { 'user-agent': agentName, ...headers },
      body: body ?? null,
      signal,
    });
    // Giving up a body makes it fail, which nobody needs to hear.
    answer.body.on('error', () => {});
    try {
      return await readAnswer(answer, url, this.#bytes);
    } finally {
      answer.body.destroy();
    }
  }
}

async function readAnswer(answer: Dispatcher.ResponseData, url: URL, bytes: number): Promise<HopAnswer> {
  const header = (name: string): string | undefined => {
    const value = answer.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  };
  const encoding = header('content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new AuthError('unreachable', `${url.origin} compressed its answer without being asked to.`);
  }
  const text = await boundedText(answer.body, { bytes, url, length: header('content-length') });
  return { status: answer.statusCode, header, text };
}
