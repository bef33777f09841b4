import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aString,
  type Definition,
  define,
  finished,
  listOf,
  mapping,
  message,
  plain,
  rootProblem,
  type WireShape,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';
import { messageMeta, requestMeta } from '../2024-11-05/annotations.js';
import { formField } from './form-fields.js';

/** A form, given what a field is. */
export function form(field: WireShape): Definition {
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

export const elicitFormParams: Definition = message(
  neutral.elicitParams,
  { message: aString, requestedSchema },
  { _meta: requestMeta },
);

/** The answer to an elicitation, given what a form may hold. */
export function elicitResult(value: WireShape): Definition {
  return message(
    neutral.elicitResult,
    { action: plain(oneOf('accept', 'decline', 'cancel')) },
    { content: mapping(value), _meta: messageMeta },
  );
}

export const elicitation: Rows<RequestRow> = {
  'elicitation/create': request(elicitFormParams, elicitResult(formValue)),
};
