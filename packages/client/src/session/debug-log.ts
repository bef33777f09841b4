import { BoundedMap, type Clock, jsonIn } from '@tenon/foundation';
import type { Redactor } from '@tenon/foundation/redaction';
import type { Answer, Connection, UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';

/** The longest text of one value, in characters. */
const longest = 1_000;
/** The most requests of one end that are stored until their answer. */
const mostOpen = 1_000;

export interface DebugLogSettings {
  readonly clock: Clock;
  /** Redacts written values. */
  readonly shown: Redactor;
}

/** Requests without an answer, by id. */
type OpenRequests = Map<unknown, { readonly method: string; readonly since: number }>;

/** The requests of the sending end, and the requests that the message may answer. */
interface Requests {
  readonly asked: OpenRequests;
  readonly answered: OpenRequests;
}

/** Writes the messages between a client and its server to the console's error stream, one line for each. */
export class DebugLog {
  readonly #settings: DebugLogSettings;

  constructor(settings: DebugLogSettings) {
    this.#settings = settings;
  }

  /** Writes a line. @param value - appended as JSON, or as the stack of an error; redacted, and cut to 1,000 characters. */
  write(what: string, value?: unknown): void {
    console.error(`[tenon] ${what}${value === undefined ? '' : ` ${this.#text(value)}`}`);
  }

  /** Returns the connection with a log of each sent and received message. Call it before the connection starts. */
  watch(connection: Connection): void {
    const ours: OpenRequests = new BoundedMap(mostOpen);
    const theirs: OpenRequests = new BoundedMap(mostOpen);
    const sent = (frame: string) =>
      this.#messages('-->', jsonIn(frame, frame), { asked: ours, answered: theirs });
    const answer = (given: Answer): Answer => {
      if (typeof given === 'string') sent(given);
      if (!(given instanceof Promise)) return given;
      return given.then((frame) => {
        if (frame !== undefined) sent(frame);
        return frame;
      });
    };
    const send = connection.send.bind(connection);
    connection.send = (frame, envelope) => {
      sent(frame);
      return send(frame, envelope);
    };
    const start = connection.start.bind(connection);
    connection.start = (receiver) =>
      start({
        receive: (value, exchange) => {
          this.#messages('<--', value, { asked: theirs, answered: ours });
          return answer(receiver.receive(value, exchange));
        },
        malformed: (reason, exchange, unread) => {
          this.write('<-- not a message:', reason);
          return answer(receiver.malformed(reason, exchange, unread));
        },
        onError: (error, where) => receiver.onError?.(error, where),
        waitsFor: (step) => receiver.waitsFor?.(step),
        closed: (reason) => receiver.closed(reason),
      });
  }

  #messages(direction: '-->' | '<--', value: unknown, requests: Requests): void {
    for (const message of Array.isArray(value) ? value : [value]) {
      if (isObject(message)) this.#message(direction, message, requests);
      else this.write(direction, message);
    }
  }

  #message(direction: '-->' | '<--', message: UnknownObject, { asked, answered }: Requests): void {
    const { id, method, params, result, error } = message;
    const number = id === undefined ? '' : ` #${this.#text(id)}`;
    if (typeof method === 'string') {
      const name = this.#text(method).slice(1, -1);
      if (id !== undefined) asked.set(id, { method: name, since: this.#settings.clock.now() });
      this.write(`${direction} ${name}${number}`, metaLast(params));
      return;
    }
    const request = answered.get(id);
    answered.delete(id);
    const name = request === undefined ? '' : ` ${request.method}`;
    const took = request && ` in ${Math.round(this.#settings.clock.now() - request.since)} ms`;
    const failed = error === undefined ? '' : ' error';
    this.write(`${direction}${name}${number}${took ?? ''}${failed}`, error ?? metaLast(result));
  }

  #text(value: unknown): string {
    const shown = this.#settings.shown(value);
    const text = shown instanceof Error ? (shown.stack ?? shown.message) : JSON.stringify(shown);
    if (text === undefined || text.length <= longest) return String(text);
    return `${text.slice(0, longest)}… (${text.length - longest} more characters)`;
  }
}

/** Moves metadata to the end: in stateless revisions they are longer than the message. */
function metaLast(content: unknown): unknown {
  if (!isObject(content) || content._meta === undefined) return content;
  const { _meta, ...others } = content;
  return { ...others, _meta };
}
