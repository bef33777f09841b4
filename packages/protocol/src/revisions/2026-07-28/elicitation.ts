import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  alternatives,
  aNumber,
  anInteger,
  aString,
  byMember,
  chosen,
  type Definition,
  define,
  listOf,
  mapping,
  message,
  type Parts,
  plain,
  rootProblem,
  type Union,
  union,
  type WireShape,
} from '../../codec/shape.js';
import { all, list, object, oneOf, string } from '../../json-rpc/check.js';
import { isObject, type UnknownObject } from '../../json-rpc/json.js';

const labels: Parts = { title: aString, description: aString };

const format = oneOf('email', 'uri', 'date', 'date-time');

const stringField = define(
  { type: plain(oneOf('string')) },
  {
    ...labels,
    minLength: anInteger,
    maxLength: anInteger,
    format: { check: format, write: (value) => (format(value) === undefined ? value : undefined) },
    default: aString,
  },
);

const numberField = define(
  { type: plain(oneOf('number', 'integer')) },
  { ...labels, minimum: aNumber, maximum: aNumber, default: aNumber },
);

const booleanField = define({ type: plain(oneOf('boolean')) }, { ...labels, default: aBoolean });

const enumField = define(
  { type: plain(oneOf('string')), enum: listOf(aString) },
  { ...labels, enumNames: listOf(aString), default: aString },
);

const choices = listOf(define({ const: aString, title: aString }));

const titledEnumField = define(
  { type: plain(oneOf('string')), oneOf: choices },
  { ...labels, default: aString },
);

const severalOf = (items: Definition): Definition =>
  define(
    { type: plain(oneOf('array')), items },
    { ...labels, minItems: anInteger, maxItems: anInteger, default: listOf(aString) },
  );

const several = severalOf(define({ type: plain(oneOf('string')), enum: listOf(aString) }));

const titledSeveral = severalOf(define({ anyOf: choices }));

const anyOfTitled = (field: UnknownObject): boolean =>
  isObject(field.items) && field.items.anyOf !== undefined;

/** One field of a form. */
export const formField: Union = union('type', {
  string: byMember({ oneOf: titledEnumField, enum: enumField }, stringField),
  number: numberField,
  integer: numberField,
  boolean: booleanField,
  array: alternatives([several, titledSeveral], (field) => (anyOfTitled(field) ? titledSeveral : several)),
});

const form = define(
  { type: plain(oneOf('object')), properties: mapping(formField) },
  { $schema: aString, required: listOf(aString) },
);

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
