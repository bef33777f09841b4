import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import {
  alternatives,
  aNumber,
  anInteger,
  aString,
  byMember,
  chosen,
  define,
  grow,
  listOf,
  message,
  type ObjectShape,
  plain,
  type Union,
  union,
  type WireShape,
} from '../../codec/shape.js';
import { all, list, object, oneOf, string } from '../../json-rpc/check.js';
import { isObject, type UnknownObject } from '../../json-rpc/json.js';
import { messageMeta, requestMeta } from '../2024-11-05/content.js';
import * as before from '../2025-06-18/elicitation.js';
import { createTaskResult, task } from './tasks.js';

const stringField = grow(before.stringField, { optional: { default: aString } });

const numberField = grow(before.numberField, { optional: { default: aNumber } });

const enumField = grow(before.enumField, { optional: { default: aString } });

const choices = listOf(define({ const: aString, title: aString }));

const titledEnumField = define(
  { type: plain(oneOf('string')), oneOf: choices },
  { ...before.labels, default: aString },
);

const severalOf = (items: ObjectShape): ObjectShape =>
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

/** The mode of an elicitation: a form, or a page. */
export const mode: WireShape = plain(oneOf('form', 'url'));

/** Params of an elicitation, given those of forms and of pages. */
export function paramsByMode(form: WireShape, url: WireShape): WireShape {
  const either = chosen((value) => (isObject(value) && value.mode === 'url' ? url : form));
  return { ...either, check: all(object({}, { mode: mode.check }), either.check) };
}

const formParams = grow(before.elicitFormParams, {
  required: { requestedSchema: grow(before.form(formField), { optional: { $schema: aString } }) },
  optional: { mode, task },
});

const urlParams = message(
  neutral.elicitParams,
  { mode, message: aString, url: aString, elicitationId: aString },
  { task, _meta: requestMeta },
);

const strings = list(string);

const formValue: WireShape = plain((value) =>
  Array.isArray(value) ? strings(value) : before.formValue.check(value),
);

const result = before.elicitResult(formValue);

export const elicitation: Rows<RequestRow> = {
  'elicitation/create': request(
    paramsByMode(formParams, urlParams),
    byMember({ action: result, task: createTaskResult }, result),
  ),
};

export const elicitationNotifications: Rows<NotificationRow> = {
  'notifications/elicitation/complete': notification(
    message(neutral.elicitationCompleteParams, { elicitationId: aString }, { _meta: messageMeta }),
  ),
};
