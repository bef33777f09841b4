import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import { finished, type Union, widen } from '../../codec/shape.js';
import * as before from '../2024-11-05/sampling.js';
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
