import type { RequestRow } from '../../revision.js';
import * as before from '../2024-11-05/sampling.js';
import { finished, type Union, widen } from '../kind.js';
import { type Rows, request } from '../rows.js';
import { audioContent } from './content.js';

export const samplingContent: Union = widen(before.samplingContent, { audio: audioContent });

export const sampling: Rows<RequestRow> = {
  'sampling/createMessage': request(
    before.createMessageParams(samplingContent),
    // Servers of this revision were told to expect a stop reason in every answer.
    finished(before.createMessageResult(samplingContent), (written) =>
      written.stopReason === undefined ? { ...written, stopReason: 'endTurn' } : written,
    ),
  ),
};
