import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import { aString, byMember, grow, message, plain, type WireShape } from '../../codec/shape.js';
import { all, list, object, oneOf, string } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';
import { messageMeta, requestMeta } from '../2024-11-05/annotations.js';
import * as before from '../2025-06-18/elicitation.js';
import { formField } from './form-fields.js';
import { createTaskResult, task } from './tasks.js';

const mode: WireShape = plain(oneOf('form', 'url'));

const formParams = grow(before.elicitFormParams, {
  required: { requestedSchema: grow(before.form(formField), { optional: { $schema: aString } }) },
  optional: { mode, task },
});

const urlParams = message(
  neutral.elicitParams,
  { mode, message: aString, url: aString, elicitationId: aString },
  { task, _meta: requestMeta },
);

const chosen = (value: unknown): WireShape =>
  isObject(value) && value.mode === 'url' ? urlParams : formParams;

const elicitParams: WireShape = {
  check: all(object({}, { mode: mode.check }), (value) => chosen(value).check(value)),
  write: (value) => chosen(value).write(value),
  relax: (value, onRelaxed) => chosen(value).relax?.(value, onRelaxed),
};

const strings = list(string);

const formValue: WireShape = plain((value) =>
  Array.isArray(value) ? strings(value) : before.formValue.check(value),
);

const result = before.elicitResult(formValue);

export const elicitation: Rows<RequestRow> = {
  'elicitation/create': request(elicitParams, byMember({ action: result, task: createTaskResult }, result)),
};

export const elicitationNotices: Rows<NotificationRow> = {
  'notifications/elicitation/complete': notification(
    message(neutral.elicitationCompleteParams, { elicitationId: aString }, { _meta: messageMeta }),
  ),
};
