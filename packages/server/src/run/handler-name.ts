import type { IncomingRequest } from '@tenon/mcp-session';
import type { Report } from './unawaited.js';

/** The parts of a call that name it in errors and reports. */
type Named = Pick<IncomingRequest, 'method' | 'params'>;

/** Returns the call in words, for reports to the author. */
export function nameOf(request: Named): string {
  const { name, uri } = request.params;
  const target = typeof name === 'string' ? name : uri;
  return typeof target === 'string'
    ? `${request.method} ${JSON.stringify(target.slice(0, 128))}`
    : request.method;
}

/** Returns the name of a call's handler, as the beginning of errors. */
export function handlerOf(request: Named): string {
  return `The handler of ${nameOf(request)}`;
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
