import {
  aBoolean,
  alternatives,
  aNumber,
  anInteger,
  aString,
  byMember,
  type Definition,
  define,
  listOf,
  type Parts,
  plain,
  type Union,
  union,
} from '../../../codec/shape.js';
import { oneOf } from '../../../json-rpc/check.js';
import { isObject, type UnknownObject } from '../../../json-rpc/json.js';

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
