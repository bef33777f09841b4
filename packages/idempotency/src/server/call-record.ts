import { canonicalJson, isRecord } from '@tenon/foundation';
import { RpcError, type UnknownObject } from '@tenon/mcp-protocol';
import type { InterceptedRun } from '@tenon/mcp-server/extension';
import { digestSegment, withStep as withStepOf } from '@tenon/mcp-state/extension';

/** The record of a call that all its attempts share. JSON. */
export interface CallRecord {
  /** The digest of the arguments. */
  readonly digest: string;
  /** The attempt that runs the handler; absent if none does. */
  readonly holder?: string;
  readonly steps: Readonly<Record<string, { readonly value?: unknown }>>;
  /** True if a step was too large to be kept. */
  readonly incomplete?: true;
  readonly result?: UnknownObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/**
 * Returns a stored record.
 * @throws TypeError if it has another form: whether the call was made is unknown, so that the handler must not run.
 */
export function readRecord(text: string): CallRecord {
  const record: unknown = JSON.parse(text);
  if (isRecord(record) && typeof record.digest === 'string' && isRecord(record.steps))
    return record as unknown as CallRecord;
  throw new TypeError('The record of a repeated call was changed, or is of another version of the server.');
}

/** True if the handler has finished and its outcome is kept. */
export function hasOutcome({ result, error }: CallRecord): boolean {
  return result !== undefined || error !== undefined;
}

/**
 * Returns the result that an attempt kept.
 * @throws RpcError if the handler threw it.
 */
export function outcomeOf({ result, error }: CallRecord): UnknownObject {
  if (error !== undefined) throw new RpcError(error.code, error.message, { data: error.data });
  return result ?? {};
}

/** Returns the record with a step, unless it has the step or would exceed so many characters. */
export function withStep(
  record: CallRecord,
  [key, value]: readonly [string, unknown],
  size: number,
): CallRecord {
  const next = record.incomplete ? record : withStepOf(record, key, value);
  return next === record ? record : (fitting(next, size) ?? { ...record, incomplete: true });
}

/** Returns the record of a call that has ended, without an outcome that would exceed so many characters. */
export function withOutcome(
  record: CallRecord,
  outcome: Pick<CallRecord, 'result' | 'error'>,
  size: number,
): CallRecord {
  if (hasOutcome(record)) return record;
  const { holder, ...ended } = record;
  return fitting({ ...ended, ...outcome }, size) ?? ended;
}

/** Returns the record of a call after an attempt ended without an outcome. */
export function released(record: CallRecord, attempt: string | undefined): CallRecord {
  const { holder, ...rest } = record;
  return holder === attempt ? rest : record;
}

function fitting(record: CallRecord, size: number): CallRecord | undefined {
  try {
    return JSON.stringify(record).length <= size ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key of a call's record: one of each caller and tool, and of each round of input requests. */
export async function recordKeyOf(
  { tool, params }: InterceptedRun,
  { principal }: InterceptedRun['caller'],
  key: string,
): Promise<string> {
  // Not the address of an unauthenticated caller: it may have changed with the connection.
  const owner = [principal?.issuer ?? null, principal?.id ?? null, tool.name];
  return `once/${await digestSegment(canonicalJson(owner))}/${await digestSegment(canonicalJson([key, params.requestState ?? null]))}`;
}

/** Returns the digest of the arguments that all attempts of a call have in common. */
export function argumentsDigest({ params }: InterceptedRun): Promise<string> {
  return digestSegment(canonicalJson([params.arguments ?? {}, params.inputResponses ?? null]));
}
