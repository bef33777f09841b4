import type { WireCheck } from '../check.js';
import type { UnknownObject } from '../json.js';
import type { MethodTable, NotificationRow, RequestRow, Revision } from '../revision.js';
import { type Kind, same, type Write } from './kind.js';

/** Rows by method. */
export type Rows<Row> = Readonly<Record<string, Row>>;

/** All rows of a revision, by who sends them. */
export interface Tables {
  readonly clientRequests: Rows<RequestRow>;
  readonly serverRequests: Rows<RequestRow>;
  readonly clientNotifications: Rows<NotificationRow>;
  readonly serverNotifications: Rows<NotificationRow>;
  /** What a server may ask of its client, however it is carried. */
  readonly asks: Rows<RequestRow>;
}

type Transform = (value: UnknownObject) => UnknownObject;

/** A request row whose params and result are of these kinds. */
export function request(
  params: Kind,
  result: Kind,
  more: Pick<RequestRow, 'decodeResult' | 'lasting' | 'mayAsk' | 'named' | 'open' | 'repairs'> = {},
): RequestRow {
  return new KindRequestRow(params, result, more);
}

/** A notification row whose params are of this kind. */
export function notification(params: Kind, more: Pick<NotificationRow, 'open'> = {}): NotificationRow {
  return new KindRow(params, more.open);
}

// Kinds are looked at when a message comes by: most rows of a revision never see one.
class KindRow implements NotificationRow {
  readonly open: true | undefined;
  readonly #params: Kind;

  constructor(params: Kind, open: true | undefined) {
    this.#params = params;
    this.open = open;
  }

  get params(): WireCheck {
    return this.#params.check;
  }

  get encodeParams(): Transform | undefined {
    return transform(this.#params.write);
  }
}

class KindRequestRow extends KindRow implements RequestRow {
  readonly decodeResult: Transform | undefined;
  readonly lasting: true | undefined;
  readonly mayAsk: true | undefined;
  readonly named: string | undefined;
  readonly repairs: RequestRow['repairs'];
  readonly #result: Kind;

  constructor(params: Kind, result: Kind, more: Partial<RequestRow>) {
    super(params, more.open);
    this.decodeResult = more.decodeResult;
    this.lasting = more.lasting;
    this.mayAsk = more.mayAsk;
    this.named = more.named;
    this.repairs = more.repairs;
    this.#result = result;
  }

  get result(): WireCheck {
    return this.#result.check;
  }

  get encodeResult(): Transform | undefined {
    return transform(this.#result.write);
  }
}

/** The method tables of a revision. */
export function tabulated(tables: Tables): Pick<Revision, 'requests' | 'notifications' | 'asks'> {
  return {
    requests: table(tables.clientRequests, tables.serverRequests),
    notifications: table(tables.clientNotifications, tables.serverNotifications),
    asks: new Map(Object.entries(tables.asks)),
  };
}

function table<Row>(client: Rows<Row>, server: Rows<Row>): MethodTable<Row> {
  return { client: new Map(Object.entries(client)), server: new Map(Object.entries(server)) };
}

function transform(write: Write): Transform | undefined {
  // The kinds of whole messages write objects as objects.
  return write === same ? undefined : (write as Transform);
}
