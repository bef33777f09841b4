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
import type { IncomingRequest } from '@tenon/mcp-session';

/** An answer, and the digest of its input request. */
export interface Answer {
  readonly digest: string;
  readonly value: InputResponse;
}

/** The state of the earlier rounds of a call. */
export interface Memory {
  /** Rounds of input requests so far. */
  readonly rounds: number;
  readonly answers: Map<string, Answer>;
  readonly steps: Map<string, unknown>;
  /** Answers without state, so that their requests are unknown; they are checked when a handler makes a request. */
  readonly offered?: UnknownObject;
}

/** An input request that the round ends with. */
export interface RequestedInput {
  readonly method: InputRequest['method'];
  readonly digest: string;
}

/** The content of the state. Entries rather than objects: keys may be any string. */
interface State {
  readonly rounds: number;
  readonly asked: readonly (readonly [key: string, method: string, digest: string])[];
  readonly answers: readonly (readonly [key: string, digest: string, value: InputResponse])[];
  /** A step without a value returned undefined. */
  readonly steps: readonly (readonly [key: string, value?: unknown])[];
  /** The owner of its share of the replay store; absent if it may be used again. */
  readonly owner?: string;
}

/** Returns the memory of a call without earlier rounds, as far as is known: it may carry answers nevertheless. */
export function blank({ params }: Pick<IncomingRequest, 'params'>): Memory {
  const { inputResponses: offered } = params;
  const memory = { rounds: 0, answers: new Map(), steps: new Map() };
  return isObject(offered) ? { ...memory, offered } : memory;
}

/**
 * Returns the answer of a call to an input request that is not in its state; undefined if there is none.
 * @throws RpcError invalid params, with the path, if an answer does not match the type of its input request.
 */
export function offeredAnswer(
  { offered }: Memory,
  { revision }: Pick<IncomingRequest, 'revision'>,
  { key, method }: { readonly key: string; readonly method: string },
): InputResponse | undefined {
  if (offered === undefined || !Object.hasOwn(offered, key)) return undefined;
  return readAnswer(revision, method, { key, value: offered[key] });
}

/**
 * Returns the memory of a repeated call: opened state, and the answers to the input requests of its last round only.
 * @throws RpcError invalid params, with the path, if an answer does not match the type of its input request.
 */
export function recall(opened: unknown, request: IncomingRequest): Memory {
  // This server sealed it, so it has this shape.
  const state = opened as State;
  const answers = new Map(state.answers.map(([key, digest, value]) => [key, { digest, value }]));
  const { inputResponses } = request.params;
  const given = isObject(inputResponses) ? inputResponses : {};
  for (const [key, method, digest] of state.asked) {
    if (!Object.hasOwn(given, key)) continue;
    const value = readAnswer(request.revision, method, { key, value: given[key] });
    if (value !== undefined) answers.set(key, { digest, value });
  }
  return { rounds: state.rounds, answers, steps: new Map(state.steps.map(([key, value]) => [key, value])) };
}

/** Returns the answers and steps of a memory. */
export function historyIn({ answers, steps }: Memory): CallHistory {
  return {
    answers: Object.fromEntries([...answers].map(([key, { value }]) => [key, { result: value }])),
    steps: Object.fromEntries([...steps].map(([key, value]) => [key, { value }])),
  };
}

/** Returns the owner of a state's share of the replay store. */
export function ownerIn(opened: unknown): string {
  return (opened as State).owner ?? '';
}

/** Returns the number of earlier rounds of an opened state. */
export function roundsIn(opened: unknown): number {
  return (opened as State).rounds;
}

/** Returns the state to seal after a round that ended with these input requests. */
export function stateAfter(memory: Memory, requested: ReadonlyMap<string, RequestedInput>): State {
  return {
    rounds: memory.rounds + 1,
    asked: [...requested].map(([key, { method, digest }]) => [key, method, digest]),
    answers: [...memory.answers].map(([key, { digest, value }]) => [key, digest, value]),
    steps: [...memory.steps].map(([key, value]) => (value === undefined ? [key] : [key, value])),
  };
}

const unfit = { path: '', message: 'expected an object, not nested too deeply' };

/** True if an answer can be stored in the state. */
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
