import type { IncomingRequest } from '@tenon/mcp-session';
import { digestOf } from './canonical-json.js';
import type { Report } from './unawaited.js';

/** What state of this request belongs to: its caller, its method, and its params but for what changes between rounds. */
export async function bindingOf(request: IncomingRequest): Promise<string> {
  const { _meta, inputResponses, requestState, ...salient } = request.params;
  const { principal } = request;
  return JSON.stringify([
    principal?.issuer ?? null,
    principal?.id ?? null,
    request.method,
    await digestOf(salient),
  ]);
}

/** What names a call in errors and reports. */
type Named = Pick<IncomingRequest, 'method' | 'params'>;

/** The call in words, for reports to the author. */
export function nameOf(request: Named): string {
  const { name, uri } = request.params;
  const target = typeof name === 'string' ? name : uri;
  return typeof target === 'string'
    ? `${request.method} ${JSON.stringify(target.slice(0, 128))}`
    : request.method;
}

/** The handler of a call as errors begin with it. */
export function handlerOf(request: Named): string {
  return `The handler of ${nameOf(request)}`;
}

/** Whose share of a replay store the state of this request is counted in. */
export function ownerOf({ principal, exchange }: IncomingRequest): string {
  return principal === undefined
    ? (exchange.facts.remoteAddress ?? '')
    : JSON.stringify([principal.issuer ?? null, principal.id]);
}

/** Reports mistakes of the handler of a call, by name. */
export function reportOf(request: Named, onError: (error: unknown, where: string) => void): Report {
  return (mistake, cause) => {
    const error = new TypeError(
      `${handlerOf(request)} ${mistake}.`,
      cause === undefined ? undefined : { cause },
    );
    onError(error, request.method);
  };
}
