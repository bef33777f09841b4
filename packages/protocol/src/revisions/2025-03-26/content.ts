import { oneOf } from '../../json-rpc/check.js';
import { annotations } from '../2024-11-05/annotations.js';
import * as before from '../2024-11-05/content.js';
import { aString, type Definition, define, plain, type Union, widen } from '../shape.js';

export const audioContent: Definition = define(
  { type: plain(oneOf('audio')), data: aString, mimeType: aString },
  { annotations },
);

export const contentBlock: Union = widen(before.contentBlock, { audio: audioContent });
