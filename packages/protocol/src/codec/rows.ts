import type { WireCheck } from '../json-rpc/check.js';
import type { UnknownObject } from '../json-rpc/json.js';
import type { Relax } from './relax.js';
import type { MethodTable, NotificationRow, RequestRow, Revision } from './revision.js';
import { same, type WireShape, type Write } from './shape.js';

/** Rows by method. */
export type Rows<Row> = Readonly<Record<string, Row>>;

/** All rows of a revision, by sender. */
export interface Tables {
  readonly clientRequests: Rows<RequestRow>;
  readonly serverRequests: Rows<RequestRow>;
  readonly clientNotifications: Rows<NotificationRow>;
  readonly serverNotifications: Rows<NotificationRow>;
  /** The kinds of input requests, live or in a result. */
  readonly inputRequests: Rows<RequestRow>;
}

type Transform = (value: UnknownObject) => UnknownObject;

/** Returns a request row with these shapes of params and result. */
export function request(
  params: WireShape,
  result: WireShape,
  more: Pick<RequestRow, 'decodeResult' | 'lasting' | 'mayRequestInput' | 'named' | 'open' | 'repairs'> = {},
): RequestRow {
  return new KindRequestRow(params, result, more);
}

export function notification(params: WireShape, more: Pick<NotificationRow, 'open'> = {}): NotificationRow {
  return new KindRow(params, more.open);
}

// Shapes are read with the first message: most rows of a revision are never used.
class KindRow implements NotificationRow {
  readonly open: true | undefined;
  readonly #params: WireShape;

  constructor(params: WireShape, open: true | undefined) {
    this.#params = params;
    this.open = open;
  }

  get params(): WireCheck {
    return this.#params.check;
  }

  get encodeParams(): Transform | undefined {
    return transform(this.#params.write);
  }

  get relaxParams(): Relax | undefined {
    return this.#params.relax;
  }
}

class KindRequestRow extends KindRow implements RequestRow {
  readonly decodeResult: Transform | undefined;
  readonly lasting: true | undefined;
  readonly mayRequestInput: true | undefined;
  readonly named: string | undefined;
  readonly repairs: RequestRow['repairs'];
  readonly #result: WireShape;

  constructor(params: WireShape, result: WireShape, more: Partial<RequestRow>) {
    super(params, more.open);
    this.decodeResult = more.decodeResult;
    this.lasting = more.lasting;
    this.mayRequestInput = more.mayRequestInput;
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

  get relaxResult(): Relax | undefined {
    return this.#result.relax;
  }
}

/** The method tables of a revision. */
export function tabulated(tables: Tables): Pick<Revision, 'requests' | 'notifications' | 'inputRequests'> {
  return {
    requests: table(tables.clientRequests, tables.serverRequests),
    notifications: table(tables.clientNotifications, tables.serverNotifications),
    inputRequests: new Map(Object.entries(tables.inputRequests)),
  };
}

function table<Row>(client: Rows<Row>, server: Rows<Row>): MethodTable<Row> {
  return { client: new Map(Object.entries(client)), server: new Map(Object.entries(server)) };
}

function transform(write: Write): Transform | undefined {
  // The shapes of whole messages write objects as objects.
  return write === same ? undefined : (write as Transform);
}
