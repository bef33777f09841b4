import * as before from '../2024-11-05/sampling.js';
import type { RequestRow } from '../revision.js';
import { type Rows, request } from '../rows.js';
import { finished, type Union, widen } from '../shape.js';
import { audioContent } from './content.js';

export const samplingContent: Union = widen(before.samplingContent, { audio: audioContent });

export const sampling: Rows<RequestRow> = {
  'sampling/createMessage': request(
    before.createMessageParams(samplingContent),
    // This revision requires a stop reason in every answer.
    finished(before.createMessageResult(samplingContent), (written) =>
      written.stopReason === undefined ? { ...written, stopReason: 'endTurn' } : written,
    ),
  ),
};
