import * as before from '../2024-11-05/completion.js';
import type { RequestRow } from '../revision.js';
import { type Rows, request } from '../rows.js';
import { aString, define, grow, mapping, widen } from '../shape.js';

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
