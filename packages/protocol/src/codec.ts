import { describeFlaw, type Flaw } from './check.js';
import { isObject, type UnknownObject } from './json.js';
import type { Allowance } from './leniencies.js';
import type { NotificationRow, RequestRow, Revision } from './revision.js';

/** A value read from the wire, or a sentence that names the path of what is wrong with it. */
export type Decoded =
  | {
      readonly ok: true;
      readonly value: UnknownObject;
      /** The leniencies it took to read it; absent where it took none. */
      readonly allowances?: readonly Allowance[];
    }
  | { readonly ok: false; readonly problem: string };

const noParams: UnknownObject = Object.freeze({});

/** Wire params to neutral ones, which they are once they are sound. */
export function decodeParams(
  row: RequestRow | NotificationRow,
  params: UnknownObject | undefined = noParams,
): Decoded {
  const flaw = row.params(params);
  if (flaw !== undefined) return { ok: false, problem: describeFlaw(flaw, 'params') };
  return { ok: true, value: params };
}

/** Neutral params to wire ones, before any stamp. */
export function encodeParams(row: RequestRow | NotificationRow, params: UnknownObject): UnknownObject {
  return row.encodeParams?.(params) ?? params;
}

/** A wire result to a neutral one. */
export function decodeResult(revision: Revision, row: RequestRow, result: unknown): Decoded {
  if (!isObject(result)) return { ok: false, problem: 'result: expected an object' };
  const flaw = row.result(result);
  if (flaw !== undefined) return decodeRepaired(revision, row, { result, flaw });
  const bare = revision.codec.unstampResult(result);
  return { ok: true, value: row.decodeResult?.(bare) ?? bare };
}

/** A result that does not pass its check, read by the leniencies of its row if they help. */
function decodeRepaired(
  revision: Revision,
  row: RequestRow,
  { result, flaw }: { result: UnknownObject; flaw: Flaw },
): Decoded {
  const allowances: Allowance[] = [];
  let value = result;
  for (const repair of row.repairs ?? []) {
    const repaired = repair(value);
    if (repaired === undefined) continue;
    value = repaired.value;
    allowances.push(repaired.allowance);
  }
  const left = allowances.length === 0 ? flaw : row.result(value);
  if (left !== undefined) return { ok: false, problem: describeFlaw(left, 'result') };
  const bare = revision.codec.unstampResult(value);
  return { ok: true, value: row.decodeResult?.(bare) ?? bare, allowances };
}

/** A neutral result to a wire one, before the stamp of its sender. */
export function encodeResult(row: RequestRow, result: UnknownObject): UnknownObject {
  return row.encodeResult?.(result) ?? result;
}
