import {
  alternatives,
  aNumber,
  anInteger,
  aString,
  byMember,
  type Definition,
  define,
  grow,
  listOf,
  plain,
  type Union,
  union,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { isObject, type UnknownObject } from '../../json-rpc/json.js';
import * as before from '../2025-06-18/form-fields.js';

const stringField = grow(before.stringField, { optional: { default: aString } });

const numberField = grow(before.numberField, { optional: { default: aNumber } });

const enumField = grow(before.enumField, { optional: { default: aString } });

const choices = listOf(define({ const: aString, title: aString }));

const titledEnumField = define(
  { type: plain(oneOf('string')), oneOf: choices },
  { ...before.labels, default: aString },
);

const severalOf = (items: Definition): Definition =>
  define(
    { type: plain(oneOf('array')), items },
    { ...before.labels, minItems: anInteger, maxItems: anInteger, default: listOf(aString) },
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
  boolean: before.booleanField,
  array: alternatives([several, titledSeveral], (field) => (anyOfTitled(field) ? titledSeveral : several)),
});
