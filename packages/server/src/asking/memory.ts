import {
  ErrorCode,
  type InputRequest,
  type InputResponse,
  type Revision,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { describeFlaw, isObject } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';

/** An answer, and the digest of the question it answers. */
export interface Answer {
  readonly digest: string;
  readonly value: InputResponse;
}

/** What earlier rounds of a call left behind. */
export interface Memory {
  /** Rounds of questions so far. */
  readonly rounds: number;
  readonly answers: Map<string, Answer>;
  readonly steps: Map<string, unknown>;
  /** Answers that came without state, so that nothing says what was asked; looked at when it is asked. */
  readonly offered?: UnknownObject;
}

/** A question that the round ends with. */
export interface Asked {
  readonly method: InputRequest['method'];
  readonly digest: string;
}

/** What travels in the state. Entries rather than objects: keys may be any string. */
interface State {
  readonly rounds: number;
  readonly asked: readonly (readonly [key: string, method: string, digest: string])[];
  readonly answers: readonly (readonly [key: string, digest: string, value: InputResponse])[];
  /** A step without value gave undefined. */
  readonly steps: readonly (readonly [key: string, value?: unknown])[];
  /** Whose share of the replay store it is counted in; absent where it may be used again. */
  readonly owner?: string;
}

/** The memory of a call that has asked nothing yet, as far as is known: it may bring answers all the same. */
export function blank({ params }: Pick<IncomingRequest, 'params'>): Memory {
  const { inputResponses: offered } = params;
  const memory = { rounds: 0, answers: new Map(), steps: new Map() };
  return isObject(offered) ? { ...memory, offered } : memory;
}

/**
 * The answer a call brought along for a question it was not known to have been asked; undefined when there is none.
 * @throws RpcError invalid params, with the path, for an answer that is not of its question's kind.
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
 * What a repeated call remembers: opened state, and what came back for the questions of its last round alone.
 * @throws RpcError invalid params, with the path, for an answer that is not of its question's kind.
 */
export function recall(opened: unknown, request: IncomingRequest): Memory {
  // Sealed by this server, so of this shape.
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

/** Whose share of the replay store a state is counted in. */
export function ownerIn(opened: unknown): string {
  return (opened as State).owner ?? '';
}

/** The state to seal after a round that ended with these questions. */
export function stateAfter(memory: Memory, asked: ReadonlyMap<string, Asked>): State {
  return {
    rounds: memory.rounds + 1,
    asked: [...asked].map(([key, { method, digest }]) => [key, method, digest]),
    answers: [...memory.answers].map(([key, { digest, value }]) => [key, digest, value]),
    steps: [...memory.steps].map(([key, value]) => (value === undefined ? [key] : [key, value])),
  };
}

const unfit = { path: '', message: 'expected an object, not nested too deeply' };

/** Whether an answer can travel in the state. */
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
  const row = revision.asks.get(method);
  // Asked in another revision, which this one has no such question of: it will be asked again, and refused.
  if (row === undefined) return undefined;
  const flaw = row.result(value) ?? (carriable(value) ? undefined : unfit);
  if (flaw !== undefined) {
    throw new RpcError(ErrorCode.invalidParams, describeFlaw(flaw, `params.inputResponses.${key}`));
  }
  const bare = revision.codec.unstampResult(value as UnknownObject);
  return (row.decodeResult === undefined ? bare : row.decodeResult(bare)) as unknown as InputResponse;
}
