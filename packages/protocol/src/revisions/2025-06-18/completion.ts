import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import { aString, define, grow, mapping, widen } from '../../codec/shape.js';
import * as before from '../2024-11-05/completion.js';

const reference = widen(before.reference, {
  'ref/prompt': grow(before.promptReference, { optional: { title: aString } }),
});

const context = define({}, { arguments: mapping(aString) });

export const completion: Rows<RequestRow> = {
  'completion/complete': request(
    grow(before.completeParams, { required: { ref: reference }, optional: { context } }),
    before.completeResult,
  ),
};
