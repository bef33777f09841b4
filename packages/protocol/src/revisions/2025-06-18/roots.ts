import type { RequestRow } from '../../codec/revision.js';
import type { Rows } from '../../codec/rows.js';
import { aRecord, grow } from '../../codec/shape.js';
import { root, rootRequests } from '../2024-11-05/roots.js';

export const roots: Rows<RequestRow> = rootRequests(grow(root, { optional: { _meta: aRecord } }));
