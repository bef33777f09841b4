import { addressOf } from './guarded-connector.js';
import { type Lookup, systemLookup } from './lookup.js';
import { nodeSender } from './node-sender.js';

/** What Node can do and a browser cannot: look names up, and judge addresses where connections are made. */
export interface NodeNetwork {
  readonly sender: typeof nodeSender;
  readonly addressOf: typeof addressOf;
  readonly lookup: Lookup;
}

export const network: NodeNetwork | undefined = { sender: nodeSender, addressOf, lookup: systemLookup };
