import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aString,
  grow,
  mapping,
  message,
  type ObjectShape,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { list, oneOf, rootProblem, string } from '../../json-rpc/check.js';
import { form as formOf } from '../2025-06-18/elicitation.js';
import { formField, mode, paramsByMode } from '../2025-11-25/elicitation.js';

const form = grow(formOf(formField), { optional: { $schema: aString } });

const formParams = message(neutral.elicitParams, { message: aString, requestedSchema: form }, { mode });

const urlParams = message(neutral.elicitParams, { mode, message: aString, url: aString });

export const elicitParams: WireShape = paramsByMode(formParams, urlParams);

const wrongValue = rootProblem('expected a string, a number, true or false, or a list of strings');
const strings = list(string);

const formValue = plain((value) => {
  if (Array.isArray(value)) return strings(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? undefined
    : wrongValue;
});

export const elicitResult: ObjectShape = message(
  neutral.elicitResult,
  { action: plain(oneOf('accept', 'decline', 'cancel')) },
  { content: mapping(formValue) },
);

export const elicitation: Rows<RequestRow> = { 'elicitation/create': request(elicitParams, elicitResult) };
