import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import { aRecord, aString, type Definition, define, listOf, message } from '../../codec/shape.js';

export const listRootsParams: Definition = message(neutral.noParams, {}, { _meta: aRecord });

export const listRootsResult: Definition = message(neutral.listRootsResult, {
  roots: listOf(define({ uri: aString }, { name: aString, _meta: aRecord })),
});

/** @deprecated by this revision: pass folders as tool arguments, resource URIs or configuration. */
export const roots: Rows<RequestRow> = { 'roots/list': request(listRootsParams, listRootsResult) };
