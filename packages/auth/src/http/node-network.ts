import { addressOf } from './guarded-connector.js';
import { type Lookup, systemLookup } from './lookup.js';
import { nodeSender } from './node-sender.js';

/** Functions that Node has and a browser has not: resolve names, and check addresses when connecting. */
export interface NodeNetwork {
  readonly sender: typeof nodeSender;
  readonly addressOf: typeof addressOf;
  readonly lookup: Lookup;
}

export const network: NodeNetwork | undefined = { sender: nodeSender, addressOf, lookup: systemLookup };
