import { describeFlaw } from './check.js';
import { isObject, type UnknownObject } from './json.js';
import type { NotificationRow, RequestRow, Revision } from './revision.js';

/** A value read from the wire, or a sentence that names the path of what is wrong with it. */
export type Decoded =
  | { readonly ok: true; readonly value: UnknownObject }
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
  if (flaw !== undefined) return { ok: false, problem: describeFlaw(flaw, 'result') };
  const bare = revision.codec.unstampResult(result);
  return { ok: true, value: row.decodeResult?.(bare) ?? bare };
}

/** A neutral result to a wire one, before the stamp of its sender. */
export function encodeResult(row: RequestRow, result: UnknownObject): UnknownObject {
  return row.encodeResult?.(result) ?? result;
}
