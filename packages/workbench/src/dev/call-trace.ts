import { performance } from 'node:perf_hooks';
import { MetaKey } from '@tenon/mcp-protocol';
import { isObject, subjectOf } from '@tenon/mcp-protocol/internal';
import type { CallEvent, DevEvent } from './dev-events.js';

/** A message, as it was parsed. */
export type WireMessage = Readonly<Record<string, unknown>>;

/** A request of a client that has no answer yet. */
export interface OpenCall {
  /** Reports the outcome. Only the first call does. */
  end(answer: WireMessage | undefined): void;
  /** Reports that the client has cancelled the request. */
  cancel(reason?: unknown): void;
  /** Reports that no server runs. */
  reject(reason: string): void;
}

/** True for requests that stay open as long as the client listens. */
export function isLasting(message: WireMessage | undefined): boolean {
  return message?.method === 'subscriptions/listen';
}

/** Returns the name in the client info of a message; undefined if it has none. */
export function clientNameIn(message: WireMessage | undefined): string | undefined {
  const params = Object(message?.params);
  const info = Object(params.clientInfo ?? Object(params._meta)[MetaKey.clientInfo]);
  return typeof info.name === 'string' ? info.name.slice(0, 100) : undefined;
}

/** Reports requests, input requests and log messages of a connection. */
export class CallTrace {
  readonly #emit: (event: DevEvent) => void;

  constructor(emit: (event: DevEvent) => void) {
    this.#emit = emit;
  }

  /** Notes a request of a client. */
  begin(message: WireMessage, client: string): OpenCall {
    const began = performance.now();
    const method = String(message.method).slice(0, 100);
    const name = subjectOf(message.params)?.slice(0, 200);
    let isOpen = !isLasting(message);
    const report = (outcome: CallEvent['outcome'], text?: string): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#emit({
        ...{ type: 'call', client, method, outcome, ms: performance.now() - began },
        ...(name !== undefined && { name }),
        ...(text !== undefined && { message: text.slice(0, 1_000) }),
      });
    };
    return {
      end: (answer) => report(...outcomeOf(answer)),
      cancel: (reason) => report('cancelled', typeof reason === 'string' ? reason : undefined),
      reject: (reason) => report('no-server', reason),
    };
  }

  /** Notes a message of a server that is not an answer. */
  note(message: WireMessage, client: string): void {
    const params = Object(message.params);
    if (message.method === 'notifications/message') {
      const { level, logger, data } = params;
      const from = typeof logger === 'string' ? { logger } : {};
      this.#emit({ type: 'log', level: String(level), ...from, data });
    } else if (message.id !== undefined && typeof message.method === 'string') {
      const text = typeof params.message === 'string' ? { message: params.message.slice(0, 1_000) } : {};
      this.#emit({ type: 'input', client, method: message.method, ...text });
    }
  }
}

function outcomeOf(answer: WireMessage | undefined): [CallEvent['outcome'], string?] {
  if (answer === undefined) return ['ok'];
  if (isObject(answer.error)) return ['error', String(answer.error.message)];
  const result = Object(answer.result);
  if (isObject(result.inputRequests) || result.resultType === 'input_required') return ['input'];
  if (result.isError !== true) return ['ok'];
  const [first] = Array.isArray(result.content) ? result.content : [];
  const { text } = Object(first);
  return ['tool-error', ...(typeof text === 'string' ? [text] : [])] as [CallEvent['outcome'], string?];
}
