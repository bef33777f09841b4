import {
  type Answer,
  type EdgeView,
  ErrorCode,
  type Exchange,
  errorFrame,
  failedAnswer,
  MetaKey,
  type Rejection,
  type Revision,
  readMessage,
  refusals,
  rejectMalformed,
} from '@tenon/mcp-protocol';
import { dispatch } from '../incoming/dispatch.js';
import { nobody, type RequestHost } from '../incoming/incoming-request.js';
import { PeerProblems } from '../outgoing/peer-problems.js';
import type { Behaviour } from './behaviour.js';
import { report } from './callbacks.js';
import { refuseHandshake } from './negotiation.js';

interface View extends EdgeView {
  readonly side: 'server';
}

/**
 * Answers messages that belong to no connection, each an exchange of its own: two peers may use the same ids.
 * One of these serves all of them.
 */
export class StatelessEndpoint {
  readonly #behaviour: Behaviour;
  readonly #view: View;
  readonly #views = new Map<Revision, View>();
  readonly #host: RequestHost;
  readonly #problems: PeerProblems;

  constructor(behaviour: Behaviour) {
    const { side, clock, limits, revisions: supported } = behaviour;
    this.#behaviour = behaviour;
    this.#problems = new PeerProblems(behaviour);
    this.#view = { side: 'server', revision: undefined, supported };
    this.#host = { side, clock, limits, conversation: undefined };
  }

  /** @param assumed - the revision of a message that states none, where the carrier tells. */
  receive(value: unknown, exchange: Exchange, assumed?: Revision): Answer {
    try {
      const view = assumed === undefined ? this.#view : this.#viewIn(assumed);
      const message = readMessage(value, exchange.facts, view);
      if (message.kind === 'rejection') return this.#reject(message, exchange, view);
      if (message.kind === 'response') {
        this.#problems.unmatched(message.id);
        if (assumed === undefined) exchange.refused?.(refusals['not-a-message'].status);
      }
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
        ledger: this.#behaviour.handling?.work,
      });
    } catch (error) {
      report(this.#behaviour, error, 'receive');
      return failedAnswer(value);
    }
  }

  malformed(reason: string, exchange: Exchange): string | undefined {
    return this.#reject(rejectMalformed(reason), exchange, this.#view);
  }

  #viewIn(revision: Revision): View {
    let view = this.#views.get(revision);
    if (view === undefined) {
      view = { ...this.#view, revision };
      this.#views.set(revision, view);
    }
    return view;
  }

  #reject(
    { refusal, answerable, id, error }: Rejection,
    exchange: Exchange,
    { revision, supported }: View,
  ): string | undefined {
    exchange.refused?.(refusals[refusal].status);
    if (!answerable) return undefined;
    const inUse = revision ?? supported.find((one) => one.lifecycle === 'stateless');
    return errorFrame(id ?? inUse?.rules.unreadableId, error);
  }
}
