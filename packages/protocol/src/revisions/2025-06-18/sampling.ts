import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import { type Union, widen } from '../../codec/shape.js';
import { createMessageParams, createMessageResult } from '../2024-11-05/sampling.js';
import * as before from '../2025-03-26/sampling.js';
import { audioContent, imageContent, textContent } from './content.js';

export const samplingContent: Union = widen(before.samplingContent, {
  text: textContent,
  image: imageContent,
  audio: audioContent,
});

export const sampling: Rows<RequestRow> = {
  'sampling/createMessage': request(
    createMessageParams(samplingContent),
    createMessageResult(samplingContent),
  ),
};
