import type { ClientAnswer, SuspendedCall } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { SharedStreamKey } from '../streams/shared-stream-key.js';

/**
 * The record of a call in kv. It is in one of these states:
 * - waiting: `waiting` has input requests. The process has the call; if the process is gone, other processes accept the answers.
 * - answered: nothing waits, and the record has the message. The last answer was accepted, and the handler has not begun with it.
 * - running: another process than the one of the stream handles the call. Without the message, the tool may not run again.
 *
 * There is no record while the process of the stream handles a call that may not run again.
 */
export interface KeptCall extends SuspendedCall {
  /** The process that has the call. */
  readonly process: string;
  readonly message?: unknown;
}

/**
 * Returns a stored record.
 * @throws TypeError if it has another form: its call must not run again.
 */
export function readCall(text: string): KeptCall {
  const call: unknown = JSON.parse(text);
  if (isObject(call) && typeof call.process === 'string') {
    const { answers, steps, waiting } = call;
    if (isObject(answers) && isObject(steps) && isObject(waiting)) return call as unknown as KeptCall;
  }
  throw new TypeError(
    'The record of a call that waits for input was changed, or is of another version of the server.',
  );
}

/** Returns the record of a call that may not run again, while another process than the one of its stream handles it. */
export function running(process: string): KeptCall {
  return { process, answers: {}, steps: {}, waiting: {} };
}

/** Returns the record with the answer to one of the input requests that it waits for; undefined if it does not wait for it. */
export function withAnswer(call: KeptCall, id: string, answer: ClientAnswer): KeptCall | undefined {
  const { [id]: key, ...waiting } = call.waiting;
  return key === undefined || !Object.hasOwn(call.waiting, id)
    ? undefined
    : { ...call, waiting, answers: { ...call.answers, [key]: answer } };
}

/** Returns the record of a call with the answers that other processes have accepted, because they took this one for gone. */
export function withAnswers(call: KeptCall, kept: KeptCall, accepted: Map<string, ClientAnswer>): KeptCall {
  const waiting = { ...call.waiting };
  const answers = { ...call.answers };
  for (const [id, key] of Object.entries(call.waiting)) {
    const answer = Object.hasOwn(kept.answers, key) ? kept.answers[key] : undefined;
    if (answer === undefined) continue;
    delete waiting[id];
    answers[key] = answer;
    accepted.set(id, answer);
  }
  return { ...call, waiting, answers };
}

export function callKeyOf({ session, process, stream }: SharedStreamKey): string {
  return `session/${session}/call/${process}/${stream}`;
}

/** Returns the key of the call that waits for the answer to an input request. */
export function askedKeyOf(session: string, id: string): string {
  return `session/${session}/asked/${id}`;
}

/** Returns the keys of a call that waits for input. */
export function keysOf(key: SharedStreamKey, { waiting }: SuspendedCall): string[] {
  return [callKeyOf(key), ...Object.keys(waiting).map((id) => askedKeyOf(key.session, id))];
}

export function leaseNameOf({ session, process, stream }: SharedStreamKey): string {
  return `call/${session}.${process}.${stream}`;
}

/** Returns the stream that the value of an {@link askedKeyOf} key names; undefined if it is malformed. */
export function streamKeyIn(session: string, place: string): SharedStreamKey | undefined {
  const match = /^([a-z2-7]{12})\/(\d{1,15})$/.exec(place);
  return match === null ? undefined : { session, process: match[1] as string, stream: Number(match[2]) };
}
