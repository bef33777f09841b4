import { oneOf } from '../../check.js';
import { isObject } from '../../json.js';
import type { RequestRow } from '../../revision.js';
import { aString, byMember, define, type Kind, mapping, message, type Parts, plain, union } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { request } from '../rows.js';
import { elicitParams, elicitResult } from './elicitation.js';
import { requestMeta, resultMeta } from './metadata.js';
import { listRootsParams, listRootsResult } from './roots.js';
import { createMessageParams, createMessageResult } from './sampling.js';

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

function asks(result: unknown): boolean {
  return isObject(result) && result.resultType === 'input_required';
}

/** A row whose call may end with questions instead of its result. */
export function askingRow(
  params: Kind,
  result: Kind,
  more: Pick<RequestRow, 'decodeResult' | 'named' | 'repairs'>,
): RequestRow {
  const either: Kind = {
    check: (value) => (asks(value) ? inputRequired : result).check(value),
    write: (value) => (asks(value) ? inputRequired : result).write(value),
  };
  return request(params, either, { mayAsk: true, ...more });
}
