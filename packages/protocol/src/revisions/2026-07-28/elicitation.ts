import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aString,
  type Definition,
  define,
  listOf,
  mapping,
  message,
  plain,
  rootProblem,
  type WireShape,
} from '../../codec/shape.js';
import { all, list, object, oneOf, string } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';
import { formField } from './shapes/form-fields.js';

const form = define(
  { type: plain(oneOf('object')), properties: mapping(formField) },
  { $schema: aString, required: listOf(aString) },
);

const mode = plain(oneOf('form', 'url'));

const formParams = message(neutral.elicitParams, { message: aString, requestedSchema: form }, { mode });

const urlParams = message(neutral.elicitParams, { mode, message: aString, url: aString });

const chosen = (value: unknown): WireShape =>
  isObject(value) && value.mode === 'url' ? urlParams : formParams;

export const elicitParams: WireShape = {
  check: all(object({}, { mode: mode.check }), (value) => chosen(value).check(value)),
  write: (value) => chosen(value).write(value),
  relax: (value, onRelaxed) => chosen(value).relax?.(value, onRelaxed),
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
