import { type Flaw, record, type WireCheck } from '../check.js';
import { encodeParams, encodeResult } from '../codec.js';
import { isObject, type UnknownObject } from '../json.js';
import type { MethodTable, NotificationRow, RequestRow, Revision, Side } from '../revision.js';
import type { Method, MethodTraits, Notice } from './method.js';

type Table<Row> = Readonly<Record<Side, Map<string, Row>>>;

/** A revision whose tables this end can add rows to. */
interface Extended extends Revision {
  readonly requests: Table<RequestRow>;
  readonly notifications: Table<NotificationRow>;
}

/**
 * The revisions one end speaks, as copies of its own: rows of methods and notifications outside the core protocol can be added
 * to them. Every reader of a revision (edge, dispatch, headers, encoders) then treats such methods like the core's.
 */
export class ExtendedRevisions {
  /** In the order given. */
  readonly all: readonly Revision[];
  readonly #extended: readonly Extended[];

  constructor(revisions: readonly Revision[]) {
    this.#extended = revisions.map((revision) => ({
      ...revision,
      requests: copy(revision.requests),
      notifications: copy(revision.notifications),
    }));
    this.all = this.#extended;
  }

  /**
   * Adds a method that `sender` may send, in the revisions that have it. Where the core protocol has the method and leaves its
   * implementation to extensions, the core's shapes stay.
   * @throws TypeError if the core protocol implements the method in one of these revisions.
   */
  addMethod(method: Method, sender: Side): void {
    const row = requestRow(method);
    for (const { id, requests } of this.#having(method))
      addRow(requests, { row, sender, name: method.name, revision: id });
  }

  /**
   * Adds a notification that `sender` may send, in the revisions that have it.
   * @throws TypeError if the core protocol implements the notification in one of these revisions.
   */
  addNotice(notice: Notice, sender: Side): void {
    for (const { id, notifications } of this.#having(notice))
      addRow(notifications, { row: noticeRow, sender, name: notice.name, revision: id });
  }

  /**
   * Adds a result type that calls of a core method may end with, in the revisions that have it.
   * @param method - of the core, such as `tools/call`.
   */
  addResultType(method: string, type: string, spoken?: MethodTraits['in']): void {
    const isTyped = (value: unknown): boolean => isObject(value) && value.resultType === type;
    this.#overlay(method, spoken, (row) => ({
      result: (value) => (isTyped(value) ? undefined : row.result(value)),
      encodeResult: (result) => (isTyped(result) ? result : (row.encodeResult?.(result) ?? result)),
      decodeResult: (result) => (isTyped(result) ? result : (row.decodeResult?.(result) ?? result)),
    }));
  }

  /** Adds a member to the filter of `subscriptions/listen`, in the revisions that have it. */
  addListenFilter(key: string, spoken?: MethodTraits['in']): void {
    const written = (params: UnknownObject, base: UnknownObject): UnknownObject => {
      const wanted = isObject(params.notifications) ? params.notifications[key] : undefined;
      if (wanted === undefined || !isObject(base.notifications)) return base;
      return { ...base, notifications: { ...base.notifications, [key]: wanted } };
    };
    this.#overlay('subscriptions/listen', spoken, (row) => ({
      encodeParams: (params) => written(params, encodeParams(row, params)),
    }));
    for (const { notifications } of this.#having(spoken && { in: spoken })) {
      const row = notifications.server.get(acknowledged);
      if (row === undefined) continue;
      notifications.server.set(acknowledged, {
        params: row.params,
        encodeParams: (params) => written(params, encodeParams(row, params)),
      });
    }
  }

  /**
   * Lets the handshake carry settings of extensions, in the revisions that `spoken` is true for. Their capabilities are an open
   * set: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation
   */
  carryExtensions(spoken?: MethodTraits['in']): void {
    const carried = (given: UnknownObject, base: UnknownObject): UnknownObject => {
      const extensions = isObject(given.capabilities) ? given.capabilities.extensions : undefined;
      if (extensions === undefined || !isObject(base.capabilities)) return base;
      return { ...base, capabilities: { ...base.capabilities, extensions } };
    };
    this.#overlay('initialize', spoken, (row) => ({
      encodeParams: (params) => carried(params, encodeParams(row, params)),
      encodeResult: (result) => carried(result, encodeResult(row, result)),
    }));
  }

  #overlay(method: string, spoken: MethodTraits['in'], over: (row: RequestRow) => Partial<RequestRow>): void {
    for (const { requests } of this.#having(spoken && { in: spoken })) {
      const row = requests.client.get(method);
      if (row !== undefined) requests.client.set(method, overlaid(row, over(row)));
    }
  }

  #having({ in: spoken }: Pick<MethodTraits, 'in'> = {}): readonly Extended[] {
    return spoken === undefined ? this.#extended : this.#extended.filter((revision) => spoken(revision));
  }
}

interface Addition<Row> {
  readonly row: Row;
  readonly sender: Side;
  readonly name: string;
  readonly revision: string;
}

function addRow<Row extends { readonly open?: true | undefined }>(
  table: Table<Row>,
  { row, sender, name, revision }: Addition<Row>,
): void {
  const known = table[sender].get(name);
  for (const one of [known, table[sender === 'client' ? 'server' : 'client'].get(name)]) {
    if (one === undefined || one.open === true) continue;
    throw new TypeError(
      `"${name}" belongs to the core protocol in ${revision}: choose a name with a prefix of your own.`,
    );
  }
  if (known === undefined) table[sender].set(name, row);
}

function copy<Row>({ client, server }: MethodTable<Row>): Table<Row> {
  return { client: new Map(client), server: new Map(server) };
}

const resultTypes: ReadonlySet<unknown> = new Set([undefined, 'complete']);
const resultTypesWithInput: ReadonlySet<unknown> = new Set([...resultTypes, 'input_required']);
const unknownType: Flaw = { path: 'resultType', message: 'is not a result type that is known here' };

/**
 * The row of a method outside the core protocol. Params and result need only be objects here: their shapes are checked where
 * they are compiled, at the handler and at the caller.
 */
function requestRow({ named, requestsInput }: Method): RequestRow {
  const known = requestsInput === true ? resultTypesWithInput : resultTypes;
  const result: WireCheck = (value) => {
    const problem = record(value);
    return problem === undefined && isObject(value) && !known.has(value.resultType) ? unknownType : problem;
  };
  return {
    params: record,
    result,
    open: true,
    ...(named !== undefined && { named }),
    ...(requestsInput === true && { mayAsk: true as const }),
  };
}

const noticeRow: NotificationRow = Object.freeze({ params: record, open: true });

const acknowledged = 'notifications/subscriptions/acknowledged';

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
    decodeResult: over.decodeResult ?? row.decodeResult,
    repairs: row.repairs,
    mayAsk: row.mayAsk,
    lasting: row.lasting,
    named: row.named,
    open: row.open,
  };
}
