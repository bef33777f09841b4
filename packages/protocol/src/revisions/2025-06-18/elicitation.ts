import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  aNumber,
  anInteger,
  aString,
  byMember,
  define,
  finished,
  listOf,
  mapping,
  message,
  type ObjectShape,
  type Parts,
  plain,
  type Union,
  union,
  type WireShape,
} from '../../codec/shape.js';
import { oneOf, rootProblem } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';
import { messageMeta, requestMeta } from '../2024-11-05/content.js';

/** The title and description of a field. */
export const labels: Parts = { title: aString, description: aString };

const format = oneOf('email', 'uri', 'date', 'date-time');

export const stringField: ObjectShape = define(
  { type: plain(oneOf('string')) },
  {
    ...labels,
    minLength: anInteger,
    maxLength: anInteger,
    format: { check: format, write: (value) => (format(value) === undefined ? value : undefined) },
  },
);

export const numberField: ObjectShape = define(
  { type: plain(oneOf('number', 'integer')) },
  { ...labels, minimum: aNumber, maximum: aNumber },
);

export const booleanField: ObjectShape = define(
  { type: plain(oneOf('boolean')) },
  { ...labels, default: aBoolean },
);

export const enumField: ObjectShape = define(
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

/** A form, given what a field is. */
export function form(field: WireShape): ObjectShape {
  return define({ type: plain(oneOf('object')), properties: mapping(field) }, { required: listOf(aString) });
}

/** A form. Fields that are written as undefined are left out, and are not required either. */
const requestedSchema: WireShape = finished(form(formField), (written, whole) => {
  const { properties, required } = written;
  if (properties === whole.properties || !isObject(properties) || !Array.isArray(required)) return written;
  return { ...written, required: required.filter((name) => Object.hasOwn(properties, name)) };
});

const wrongValue = rootProblem('expected a string, a number or true or false');

/** One value of a filled form; lists of choices belong to later revisions. */
export const formValue: WireShape = {
  check: (value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? undefined
      : wrongValue,
  write: (value) => (Array.isArray(value) ? undefined : value),
};

export const elicitFormParams: ObjectShape = message(
  neutral.elicitParams,
  { message: aString, requestedSchema },
  { _meta: requestMeta },
);

/** The answer to an elicitation, given what a form may hold. */
export function elicitResult(value: WireShape): ObjectShape {
  return message(
    neutral.elicitResult,
    { action: plain(oneOf('accept', 'decline', 'cancel')) },
    { content: mapping(value), _meta: messageMeta },
  );
}

export const elicitation: Rows<RequestRow> = {
  'elicitation/create': request(elicitFormParams, elicitResult(formValue)),
};
