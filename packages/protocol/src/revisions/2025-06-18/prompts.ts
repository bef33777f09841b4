import { aString, type Definition, grow, listOf } from '../../codec/shape.js';
import * as before from '../2024-11-05/prompts.js';
import { titled } from './annotations.js';

export const promptArgument: Definition = grow(before.promptArgument, { optional: { title: aString } });

export const prompt: Definition = grow(before.prompt, {
  optional: { ...titled, arguments: listOf(promptArgument) },
});
