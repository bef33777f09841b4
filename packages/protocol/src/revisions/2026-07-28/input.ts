import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { request } from '../../codec/rows.js';
import {
  aString,
  byMember,
  define,
  mapping,
  message,
  type Parts,
  plain,
  union,
  type WireShape,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';
import {
  createMessageParams,
  createMessageResult,
  listRootsParams,
  listRootsResult,
} from './client-features.js';
import { requestMeta, resultMeta } from './content.js';
import { elicitParams, elicitResult } from './elicitation.js';

const inputRequest = union('method', {
  'elicitation/create': define({ method: plain(oneOf('elicitation/create')), params: elicitParams }),
  'sampling/createMessage': define({
    method: plain(oneOf('sampling/createMessage')),
    params: createMessageParams,
  }),
  'roots/list': define({ method: plain(oneOf('roots/list')) }, { params: listRootsParams }),
});

const inputRequired = message(
  neutral.emptyResult,
  { resultType: plain(oneOf('input_required')) },
  { inputRequests: mapping(inputRequest), requestState: aString, _meta: resultMeta },
);

const inputResponse = byMember({ roots: listRootsResult, model: createMessageResult }, elicitResult);

/** Params of a call that may be repeated with answers. */
export const answerMembers: Parts = {
  inputResponses: mapping(inputResponse),
  requestState: aString,
  _meta: requestMeta,
};

function endsWithRequests(result: unknown): boolean {
  return isObject(result) && result.resultType === 'input_required';
}

/** A row of a call that may end with input requests instead of its result. */
export function inputRequiredRow(
  params: WireShape,
  result: WireShape,
  more: Pick<RequestRow, 'decodeResult' | 'named' | 'repairs'>,
): RequestRow {
  const either: WireShape = {
    check: (value) => (endsWithRequests(value) ? inputRequired : result).check(value),
    write: (value) => (endsWithRequests(value) ? inputRequired : result).write(value),
    relax: (value, onRelaxed) => (endsWithRequests(value) ? inputRequired : result).relax?.(value, onRelaxed),
  };
  return request(params, either, { mayRequestInput: true, ...more });
}
