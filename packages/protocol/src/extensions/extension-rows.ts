import { encodeParams, encodeResult } from '../codec/codec.js';
import type { RequestRow } from '../codec/revision.js';
import { isObject, type UnknownObject } from '../json-rpc/json.js';
import type { ExtendedRevision, ExtendedRevisions } from './extended-revisions.js';
import type { MethodTraits } from './method.js';

/** True for the revisions in which an extension is offered. */
type Offered = MethodTraits['in'];

/** Adds a result type that tool calls may end with, in the revisions in which its extension is offered. */
export function addResultType(spoken: ExtendedRevisions, type: string, offered: Offered): void {
  const isTyped = (value: unknown): boolean => isObject(value) && value.resultType === type;
  overlay(spoken.matching(offered), 'tools/call', (row) => ({
    result: (value) => (isTyped(value) ? undefined : row.result(value)),
    encodeResult: (result) => (isTyped(result) ? result : (row.encodeResult?.(result) ?? result)),
    decodeResult: (result) => (isTyped(result) ? result : (row.decodeResult?.(result) ?? result)),
  }));
}

/** Adds a member to the filter of `subscriptions/listen`, in the revisions in which its extension is offered. */
export function addListenFilter(spoken: ExtendedRevisions, key: string, offered: Offered): void {
  const written = (params: UnknownObject, base: UnknownObject): UnknownObject => {
    const wanted = isObject(params.notifications) ? params.notifications[key] : undefined;
    if (wanted === undefined || !isObject(base.notifications)) return base;
    return { ...base, notifications: { ...base.notifications, [key]: wanted } };
  };
  const extended = spoken.matching(offered);
  overlay(extended, 'subscriptions/listen', (row) => ({
    encodeParams: (params) => written(params, encodeParams(row, params)),
  }));
  for (const { notifications } of extended) {
    const row = notifications.server.get(acknowledged);
    if (row === undefined) continue;
    notifications.server.set(acknowledged, {
      params: row.params,
      relaxParams: row.relaxParams,
      encodeParams: (params) => written(params, encodeParams(row, params)),
    });
  }
}

/**
 * Adds the settings of extensions to the handshake, in the revisions in which any is offered. Its capabilities are an open set:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation
 */
export function carryExtensions(spoken: ExtendedRevisions, offered: Offered): void {
  const carried = (given: UnknownObject, base: UnknownObject): UnknownObject => {
    const extensions = isObject(given.capabilities) ? given.capabilities.extensions : undefined;
    if (extensions === undefined || !isObject(base.capabilities)) return base;
    return { ...base, capabilities: { ...base.capabilities, extensions } };
  };
  overlay(spoken.matching(offered), 'initialize', (row) => ({
    encodeParams: (params) => carried(params, encodeParams(row, params)),
    encodeResult: (result) => carried(result, encodeResult(row, result)),
  }));
}

/** The members of results that are lists of entries with metadata. */
const entryLists = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/read': 'contents',
} as const;

/**
 * Adds the metadata of tools, resources and contents to revisions that define none, where any extension is offered: extensions describe
 * entries by metadata, and these results are open sets.
 */
export function carryMetadata(spoken: ExtendedRevisions, offered: Offered): void {
  for (const [method, member] of Object.entries(entryLists)) {
    overlay(spoken.matching(offered), method, (row) => ({
      encodeResult: (result) => withMetadata(member, result, encodeResult(row, result)),
    }));
  }
}

function withMetadata(member: string, given: UnknownObject, base: UnknownObject): UnknownObject {
  const [entries, encoded] = [given[member], base[member]];
  if (entries === encoded || !Array.isArray(entries) || !Array.isArray(encoded)) return base;
  if (!entries.some((entry, index) => entry?._meta !== undefined && encoded[index]?._meta === undefined))
    return base;
  const carried = encoded.map((entry: UnknownObject, index) => {
    const meta = entries[index]?._meta;
    return meta === undefined || entry._meta !== undefined ? entry : { ...entry, _meta: meta };
  });
  return { ...base, [member]: carried };
}

const acknowledged = 'notifications/subscriptions/acknowledged';

function overlay(
  revisions: readonly ExtendedRevision[],
  method: string,
  over: (row: RequestRow) => Partial<RequestRow>,
): void {
  for (const { requests } of revisions) {
    const row = requests.client.get(method);
    if (row !== undefined) requests.client.set(method, overlaid(row, over(row)));
  }
}

/** A row with some members replaced. Those of the core make their checks when they are first read. */
function overlaid(row: RequestRow, over: Partial<RequestRow>): RequestRow {
  return {
    get params() {
      return row.params;
    },
    get result() {
      return over.result ?? row.result;
    },
    get encodeParams() {
      return over.encodeParams ?? row.encodeParams;
    },
    get encodeResult() {
      return over.encodeResult ?? row.encodeResult;
    },
    get relaxParams() {
      return row.relaxParams;
    },
    get relaxResult() {
      return row.relaxResult;
    },
    decodeResult: over.decodeResult ?? row.decodeResult,
    repairs: row.repairs,
    mayRequestInput: row.mayRequestInput,
    lasting: row.lasting,
    named: row.named,
    open: row.open,
  };
}
