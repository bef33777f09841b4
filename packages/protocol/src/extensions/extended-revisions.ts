import type { MethodTable, NotificationRow, RequestRow, Revision, Side } from '../codec/revision.js';
import { type Problem, record, type WireCheck } from '../json-rpc/check.js';
import { isObject } from '../json-rpc/json.js';
import type { CustomNotification, Method, MethodTraits } from './method.js';

type Table<Row> = Readonly<Record<Side, Map<string, Row>>>;

/** A revision with tables that this end can extend. */
export interface ExtendedRevision extends Revision {
  readonly requests: Table<RequestRow>;
  readonly notifications: Table<NotificationRow>;
}

/**
 * The revisions that one end supports, as copies: rows of methods and notifications outside the core protocol can be added
 * to them. Every reader of a revision (edge, dispatch, headers, encoders) then treats such methods like those of the core.
 */
export class ExtendedRevisions {
  /** In the order given. */
  readonly all: readonly Revision[];
  readonly #extended: readonly ExtendedRevision[];
  /** Definitions that were added, by sender: the others are looked up in every revision. */
  readonly #added: Readonly<Record<Side, WeakSet<Method | CustomNotification>>> = {
    client: new WeakSet(),
    server: new WeakSet(),
  };

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
    if (this.#added[sender].has(method)) return;
    const row = requestRow(method);
    for (const { id, requests } of this.matching(method.in))
      addRow(requests, { row, sender, name: method.name, revision: id });
    this.#added[sender].add(method);
  }

  /**
   * Adds a notification that `sender` may send, in the revisions that have it.
   * @throws TypeError if the core protocol implements the notification in one of these revisions.
   */
  addNotification(notification: CustomNotification, sender: Side): void {
    if (this.#added[sender].has(notification)) return;
    for (const { id, notifications } of this.matching(notification.in))
      addRow(notifications, { row: notificationRow, sender, name: notification.name, revision: id });
    this.#added[sender].add(notification);
  }

  /** The revisions for which a rule is true; all if there is no rule. */
  matching(rule: MethodTraits['in']): readonly ExtendedRevision[] {
    return rule === undefined ? this.#extended : this.#extended.filter((revision) => rule(revision));
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
const unknownType: Problem = { path: 'resultType', message: 'is not a result type that is known here' };

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
    ...(requestsInput === true && { mayRequestInput: true as const }),
  };
}

const notificationRow: NotificationRow = Object.freeze({ params: record, open: true });
