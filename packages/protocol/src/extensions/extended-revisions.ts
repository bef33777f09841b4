import { type Check, type Flaw, record } from '../check.js';
import { isObject } from '../json.js';
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

  #having({ in: spoken }: Pick<MethodTraits, 'in'>): readonly Extended[] {
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
  const result: Check = (value) => {
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
