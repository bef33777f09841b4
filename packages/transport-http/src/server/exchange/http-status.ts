import { ErrorCode } from '@tenon/mcp-protocol';

const statuses: ReadonlyMap<number, number> = new Map([
  [ErrorCode.parseError, 400],
  [ErrorCode.invalidRequest, 400],
  [ErrorCode.methodNotFound, 404],
  [ErrorCode.headerMismatch, 400],
  [ErrorCode.missingClientCapability, 400],
  [ErrorCode.unsupportedProtocolVersion, 400],
  [ErrorCode.overloaded, 503],
  [ErrorCode.shuttingDown, 503],
  [ErrorCode.rateLimited, 429],
]);

/**
 * Returns the HTTP status of an error that answers a stateless request: 200 unless the specification or HTTP defines
 * another.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function httpStatusOf(code: number): number {
  return statuses.get(code) ?? 200;
}
