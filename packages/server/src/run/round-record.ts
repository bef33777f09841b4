import {
  type CallHistory,
  ErrorCode,
  type InputRequest,
  type InputResponse,
  type Revision,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { describeProblem, isObject } from '@tenon/mcp-protocol/internal';
import type { CarriedTexts, IncomingRequest } from '@tenon/mcp-session';
import { digestOf } from '../sealing/digest.js';
import { stepsIn, valuesOf } from './once-steps.js';

/** An answer, and the digest of its input request. */
export interface Answer {
  readonly digest: string;
  readonly result: InputResponse;
}

/** The earlier rounds of a call. */
export interface EarlierRounds {
  /** Rounds of input requests so far. */
  readonly rounds: number;
  readonly answers: Map<string, Answer>;
  readonly steps: Map<string, unknown>;
  /** Answers without a record, so that their requests are unknown; they are checked when a handler makes a request. */
  readonly offered?: UnknownObject;
}

/** An input request that the round ends with. */
export interface RequestedInput {
  readonly method: InputRequest['method'];
  readonly digest: string;
}

/** The record of a call between two rounds: it travels through the client, sealed. JSON. */
export interface RoundRecord extends CallHistory {
  readonly rounds: number;
  /** The input requests that the last round ended with. */
  readonly waiting: Readonly<Record<string, RequestedInput>>;
  readonly answers: Readonly<Record<string, Answer>>;
  /** Texts of middleware that all rounds have. */
  readonly carried?: CarriedTexts;
  /** The owner of its share of the replay store; absent if it may be used again. */
  readonly owner?: string;
}

/**
 * Returns an opened record. This server sealed it, perhaps in another version.
 * @throws RpcError invalid params if it has another form.
 */
export function readRecord(opened: unknown): RoundRecord {
  if (isObject(opened) && typeof opened.rounds === 'number') {
    const { waiting, answers, steps } = opened;
    if (isObject(waiting) && isObject(answers) && isObject(steps)) return opened as unknown as RoundRecord;
  }
  const message = 'params.requestState: is of another version of this server: make the request anew.';
  throw new RpcError(ErrorCode.invalidParams, message);
}

/** Returns the earlier rounds of a call without a record: it may carry answers nevertheless. */
export function noRounds({ params }: Pick<IncomingRequest, 'params'>): EarlierRounds {
  const { inputResponses: offered } = params;
  const none = { rounds: 0, answers: new Map(), steps: new Map() };
  return isObject(offered) ? { ...none, offered } : none;
}

/**
 * Returns the answer of a call to an input request that is not in its record; undefined if there is none.
 * @throws RpcError invalid params, with the path, if an answer does not match the type of its input request.
 */
export function offeredAnswer(
  { offered }: EarlierRounds,
  { revision }: Pick<IncomingRequest, 'revision'>,
  { key, method }: { readonly key: string; readonly method: string },
): InputResponse | undefined {
  if (offered === undefined || !Object.hasOwn(offered, key)) return undefined;
  return readAnswer(revision, method, { key, value: offered[key] });
}

/**
 * Returns the earlier rounds of a repeated call: those of its record, and the answers to the input requests of its last round only.
 * @throws RpcError invalid params, with the path, if an answer does not match the type of its input request.
 */
export function recall(record: RoundRecord, { params, revision }: IncomingRequest): EarlierRounds {
  const answers = new Map(Object.entries(record.answers));
  const given = isObject(params.inputResponses) ? params.inputResponses : {};
  for (const [key, { method, digest }] of Object.entries(record.waiting)) {
    if (!Object.hasOwn(given, key)) continue;
    const result = readAnswer(revision, method, { key, value: given[key] });
    if (result !== undefined) answers.set(key, { digest, result });
  }
  return { rounds: record.rounds, answers, steps: valuesOf(record.steps) };
}

/** Returns the answers and steps of earlier rounds. */
export function historyIn({ answers, steps }: EarlierRounds): CallHistory {
  const given = [...answers].map(([key, { result }]) => [key, { result }] as const);
  return { answers: Object.fromEntries(given), steps: stepsIn(steps) };
}

/** Returns the record to seal after a round that ended with these input requests. */
export function recordAfter(
  { rounds, answers, steps }: EarlierRounds,
  requested: readonly (readonly [key: string, request: RequestedInput])[],
): RoundRecord {
  return {
    rounds: rounds + 1,
    waiting: Object.fromEntries(requested),
    answers: Object.fromEntries(answers),
    steps: stepsIn(steps),
  };
}

const unfit = { path: '', message: 'expected an object, not nested too deeply' };

/** True if an answer can be stored in the record. */
function carriable(value: unknown): boolean {
  try {
    return isObject(value) && JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function readAnswer(
  revision: Revision,
  method: string,
  { key, value }: { readonly key: string; readonly value: unknown },
): InputResponse | undefined {
  const row = revision.inputRequests.get(method);
  // Requested in another revision; this revision has no such input request: it will be made again, and rejected.
  if (row === undefined) return undefined;
  const problem = row.result(value) ?? (carriable(value) ? undefined : unfit);
  if (problem !== undefined) {
    throw new RpcError(ErrorCode.invalidParams, describeProblem(problem, `params.inputResponses.${key}`));
  }
  const bare = revision.codec.unstampResult(value as UnknownObject);
  return (row.decodeResult === undefined ? bare : row.decodeResult(bare)) as unknown as InputResponse;
}

/**
 * Returns the binding of this request's state: its caller, its method, and its params as the client sent them, except those that
 * change between rounds. Middleware that reads the state sees the same binding as the handler after it.
 */
export async function bindingOf(request: IncomingRequest): Promise<string> {
  const { _meta, inputResponses, requestState, ...salient } = request.received;
  const { principal } = request;
  return JSON.stringify([
    principal?.issuer ?? null,
    principal?.id ?? null,
    request.method,
    await digestOf(salient),
  ]);
}

/** Returns the owner of the state's share of a replay store. */
export function ownerOf({ principal, exchange }: IncomingRequest): string {
  return principal === undefined
    ? (exchange.facts.remoteAddress ?? '')
    : JSON.stringify([principal.issuer ?? null, principal.id]);
}
