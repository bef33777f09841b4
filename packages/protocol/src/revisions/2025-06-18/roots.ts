import { root, rootRequests } from '../2024-11-05/roots.js';
import type { RequestRow } from '../revision.js';
import type { Rows } from '../rows.js';
import { aRecord, grow } from '../shape.js';

export const roots: Rows<RequestRow> = rootRequests(grow(root, { optional: { _meta: aRecord } }));
