import type { RequestRow } from '../../revision.js';
import { root, rootRequests } from '../2024-11-05/roots.js';
import { aRecord, grow } from '../kind.js';
import type { Rows } from '../rows.js';

export const roots: Rows<RequestRow> = rootRequests(grow(root, { optional: { _meta: aRecord } }));
