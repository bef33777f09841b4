import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aString,
  chosen,
  type Definition,
  grow,
  mapping,
  message,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { all, list, object, oneOf, rootProblem, string } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';
import { form as formOf } from '../2025-06-18/elicitation.js';
import { formField } from '../2025-11-25/elicitation.js';

const form = grow(formOf(formField), { optional: { $schema: aString } });

const mode = plain(oneOf('form', 'url'));

const formParams = message(neutral.elicitParams, { message: aString, requestedSchema: form }, { mode });

const urlParams = message(neutral.elicitParams, { mode, message: aString, url: aString });

const eitherParams = chosen((value) => (isObject(value) && value.mode === 'url' ? urlParams : formParams));

export const elicitParams: WireShape = {
  ...eitherParams,
  check: all(object({}, { mode: mode.check }), eitherParams.check),
};

const wrongValue = rootProblem('expected a string, a number, true or false, or a list of strings');
const strings = list(string);

const formValue = plain((value) => {
  if (Array.isArray(value)) return strings(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? undefined
    : wrongValue;
});

export const elicitResult: Definition = message(
  neutral.elicitResult,
  { action: plain(oneOf('accept', 'decline', 'cancel')) },
  { content: mapping(formValue) },
);

export const elicitation: Rows<RequestRow> = { 'elicitation/create': request(elicitParams, elicitResult) };
