import {
  type Answer,
  ErrorCode,
  type Exchange,
  errorFrame,
  MetaKey,
  type Rejection,
  type Revision,
  readMessage,
  refusals,
  rejectMalformed,
} from '@tenon/mcp-protocol';
import type { Behaviour } from './behaviour.js';
import { dispatch } from './dispatch.js';
import { nobody, type RequestHost } from './incoming-request.js';
import { refuseHandshake } from './negotiation.js';

/**
 * Answers messages that belong to no connection, each an exchange of its own: two peers may use the same ids.
 * One of these serves all of them.
 */
export class StatelessEndpoint {
  readonly #behaviour: Behaviour;
  readonly #view: { side: 'server'; revision: undefined; supported: readonly Revision[] };
  readonly #host: RequestHost;

  constructor(behaviour: Behaviour) {
    const { side, clock, limits, revisions: supported } = behaviour;
    this.#behaviour = behaviour;
    this.#view = { side: 'server', revision: undefined, supported };
    this.#host = { side, clock, limits, conversation: undefined };
  }

  receive(value: unknown, exchange: Exchange): Answer {
    const message = readMessage(value, exchange.facts, this.#view);
    if (message.kind === 'rejection') return this.#reject(message, exchange);
    if (message.kind === 'response') exchange.refused?.(refusals['not-a-message'].status);
    if (message.kind !== 'request') return undefined;
    const { revision } = message;
    if (revision === undefined) {
      exchange.refused?.(refusals['no-version'].status);
      // Asked as if there were a session to open, or one that is open already.
      const missing = `params._meta: "${MetaKey.protocolVersion}" is required.`;
      const error =
        message.method === 'initialize'
          ? refuseHandshake(message.params?.protocolVersion, this.#view.supported)
          : { code: ErrorCode.invalidParams, message: missing };
      return errorFrame(message.id, error);
    }
    const from = message.stamp ?? nobody;
    return dispatch(this.#behaviour, {
      message,
      revision,
      from,
      exchange,
      host: this.#host,
      ledger: undefined,
    });
  }

  malformed(reason: string, exchange: Exchange): string | undefined {
    return this.#reject(rejectMalformed(reason), exchange);
  }

  get #unreadableId(): null | undefined {
    return this.#view.supported.find((one) => one.lifecycle === 'stateless')?.rules.unreadableId;
  }

  #reject({ refusal, answerable, id, error }: Rejection, exchange: Exchange): string | undefined {
    exchange.refused?.(refusals[refusal].status);
    return answerable ? errorFrame(id ?? this.#unreadableId, error) : undefined;
  }
}
