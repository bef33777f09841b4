import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  anInteger,
  aString,
  define,
  mapping,
  message,
  plain,
  rootProblem,
  union,
} from '../../codec/shape.js';
import { all, list, oneOf, string } from '../../json-rpc/check.js';
import { requestMeta } from './content.js';
import { completeResult } from './results.js';

const reference = union('type', {
  'ref/prompt': define({ type: plain(oneOf('ref/prompt')), name: aString }, { title: aString }),
  'ref/resource': define({ type: plain(oneOf('ref/resource')), uri: aString }),
});

const tooMany = rootProblem('expected at most 100 values');

const offers = plain(
  all(list(string), (value) => (Array.isArray(value) && value.length > 100 ? tooMany : undefined)),
);

export const completion: Rows<RequestRow> = {
  'completion/complete': request(
    message(
      neutral.completeParams,
      { ref: reference, argument: define({ name: aString, value: aString }) },
      { context: define({}, { arguments: mapping(aString) }), _meta: requestMeta },
    ),
    completeResult(neutral.completeResult, {
      completion: define({ values: offers }, { total: anInteger, hasMore: aBoolean }),
    }),
  ),
};
