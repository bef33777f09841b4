import type { UnknownObject } from '../json-rpc/json.js';
import type { InputRequest } from '../model/input.js';
import type { CallToolResult } from '../model/tools.js';
import { encodeParams, encodeResult } from './codec.js';
import type { Revision } from './revision.js';

/** Returns the result of a tool call in the shape of a revision, without the server info, to be sent in another message. */
export function encodeToolResult({ requests }: Revision, result: CallToolResult): UnknownObject {
  const row = requests.client.get('tools/call');
  return row === undefined ? { ...result } : encodeResult(row, { ...result });
}

/** Returns an input request in the shape of a revision, to be sent in another message. */
export function encodeInputRequest({ inputRequests }: Revision, request: InputRequest): InputRequest {
  const row = inputRequests.get(request.method);
  if (request.params === undefined || row === undefined) return request;
  return { ...request, params: encodeParams(row, { ...request.params }) } as InputRequest;
}
