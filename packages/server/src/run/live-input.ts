import type { IncomingRequest } from '@tenon/mcp-session';
import { reportOf } from './handler-name.js';
import { type InputHost, LiveInput } from './input-requester.js';
import { type CreateInputRequester, type HostOptions, RequestHost } from './request-host.js';

/**
 * Runs a handler with input requests as separate requests. Those that still wait when the handler has finished are cancelled:
 * nothing reads their answers.
 */
export function runLive<Result>(
  options: HostOptions,
  request: IncomingRequest,
  run: (host: InputHost) => Result | Promise<Result>,
): Result | Promise<Result> {
  return new RequestHost(liveInput, options, request).run(run);
}

export const liveInput: CreateInputRequester = ({ limits, onError, intercept }, request) =>
  new LiveInput({ request, limits, intercept, report: reportOf(request, onError) });
