import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  anInteger,
  aString,
  define,
  listOf,
  message,
  type ObjectShape,
  plain,
  type Union,
  union,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { messageMeta, requestMeta } from './content.js';

export const promptReference: ObjectShape = define({ type: plain(oneOf('ref/prompt')), name: aString });

export const reference: Union = union('type', {
  'ref/prompt': promptReference,
  'ref/resource': define({ type: plain(oneOf('ref/resource')), uri: aString }),
});

export const completeParams: ObjectShape = message(
  neutral.completeParams,
  { ref: reference, argument: define({ name: aString, value: aString }) },
  { _meta: requestMeta },
);

export const completeResult: ObjectShape = message(
  neutral.completeResult,
  { completion: define({ values: listOf(aString) }, { total: anInteger, hasMore: aBoolean }) },
  { _meta: messageMeta },
);

export const completion: Rows<RequestRow> = {
  'completion/complete': request(completeParams, completeResult),
};
