import { aString, type Definition, define, plain, type Union, widen } from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { annotations } from '../2024-11-05/annotations.js';
import * as before from '../2024-11-05/content.js';

export const audioContent: Definition = define(
  { type: plain(oneOf('audio')), data: aString, mimeType: aString },
  { annotations },
);

export const contentBlock: Union = widen(before.contentBlock, { audio: audioContent });
