import {
  aBoolean,
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
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';

/** The title and description of a field. */
export const labels: Parts = { title: aString, description: aString };

const format = oneOf('email', 'uri', 'date', 'date-time');

export const stringField: Definition = define(
  { type: plain(oneOf('string')) },
  {
    ...labels,
    minLength: anInteger,
    maxLength: anInteger,
    format: { check: format, write: (value) => (format(value) === undefined ? value : undefined) },
  },
);

export const numberField: Definition = define(
  { type: plain(oneOf('number', 'integer')) },
  { ...labels, minimum: aNumber, maximum: aNumber },
);

export const booleanField: Definition = define(
  { type: plain(oneOf('boolean')) },
  { ...labels, default: aBoolean },
);

export const enumField: Definition = define(
  { type: plain(oneOf('string')), enum: listOf(aString) },
  { ...labels, enumNames: listOf(aString) },
);

/** Titled choices become the two lists of this revision. */
function writeString(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (!Array.isArray(value.oneOf)) return (value.enum === undefined ? stringField : enumField).write(value);
  const choices = value.oneOf.filter(isObject);
  const enumNames = choices.map((choice) => choice.title);
  return enumField.write({ ...value, enum: choices.map((choice) => choice.const), enumNames });
}

/** One field of a form. Fields that take several values have no counterpart here and are left out. */
export const formField: Union = union('type', {
  string: { ...byMember({ enum: enumField }, stringField), write: writeString },
  number: numberField,
  integer: numberField,
  boolean: booleanField,
});
