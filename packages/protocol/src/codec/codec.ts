import { describeProblem, type Problem } from '../json-rpc/check.js';
import { isObject, type UnknownObject } from '../json-rpc/json.js';
import type { Allowance, LeniencyName, Relax } from './relax.js';
import type { NotificationRow, RequestRow, Revision } from './revision.js';

/** A value read from the wire, or a sentence with its problem and the path of the problem. */
export type Decoded =
  | {
      readonly ok: true;
      readonly value: UnknownObject;
      /** The leniencies that were applied; absent if there are none. */
      readonly allowances?: readonly Allowance[];
    }
  | { readonly ok: false; readonly problem: string };

const noParams: UnknownObject = Object.freeze({});

/** Checks wire params, which are neutral params if they pass, or if they do after a more lenient reading. */
export function decodeParams(
  row: RequestRow | NotificationRow,
  params: UnknownObject | undefined = noParams,
): Decoded {
  const problem = row.params(params);
  return problem === undefined ? { ok: true, value: params } : relaxedParams(row, params, problem);
}

function relaxedParams(row: RequestRow | NotificationRow, params: UnknownObject, problem: Problem): Decoded {
  const { value, allowances } = relaxed(row.relaxParams, params, describeProblem(problem, 'params'));
  const left = allowances.length === 0 ? problem : row.params(value);
  if (left !== undefined) return { ok: false, problem: describeProblem(left, 'params') };
  return { ok: true, value, allowances };
}

/** Reads a value that does not pass its check. */
function relaxed(
  relax: Relax | undefined,
  value: UnknownObject,
  problem: string,
): { value: UnknownObject; allowances: Allowance[] } {
  const used = new Set<LeniencyName>();
  const read = relax?.(value, (leniency) => used.add(leniency));
  const allowances = [...used].map((leniency) => ({ leniency, detail: `The first problem: ${problem}.` }));
  return { value: isObject(read) ? read : value, allowances };
}

/** Converts neutral params to wire params, without the per-request fields. */
export function encodeParams(row: RequestRow | NotificationRow, params: UnknownObject): UnknownObject {
  return row.encodeParams?.(params) ?? params;
}

/** Converts a wire result to a neutral result. */
export function decodeResult(revision: Revision, row: RequestRow, result: unknown): Decoded {
  if (!isObject(result)) return { ok: false, problem: 'result: expected an object' };
  const problem = row.result(result);
  if (problem !== undefined) return decodeRepaired(revision, row, { result, problem });
  const bare = revision.codec.unstampResult(result);
  return { ok: true, value: row.decodeResult?.(bare) ?? bare };
}

/** Reads a result that does not pass its check, by the leniencies of its row. */
function decodeRepaired(
  revision: Revision,
  row: RequestRow,
  { result, problem }: { result: UnknownObject; problem: Problem },
): Decoded {
  const { value: read, allowances } = relaxed(row.relaxResult, result, describeProblem(problem, 'result'));
  let value = read;
  for (const repair of row.repairs ?? []) {
    const repaired = repair(value);
    if (repaired === undefined) continue;
    value = repaired.value;
    allowances.push(repaired.allowance);
  }
  const left = allowances.length === 0 ? problem : row.result(value);
  if (left !== undefined) return { ok: false, problem: describeProblem(left, 'result') };
  const bare = revision.codec.unstampResult(value);
  return { ok: true, value: row.decodeResult?.(bare) ?? bare, allowances };
}

/** Converts a neutral result to a wire result, without the server info. */
export function encodeResult(row: RequestRow, result: UnknownObject): UnknownObject {
  return row.encodeResult?.(result) ?? result;
}
