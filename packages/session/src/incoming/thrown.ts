import {
  type ClientCapabilities,
  ErrorCode,
  type Revision,
  RpcError,
  SessionError,
  type WireError,
} from '@tenon/mcp-protocol';

/** Thrown where a request needs a capability its client did not declare. */
export class MissingCapabilityError extends SessionError {
  override readonly name = 'MissingCapabilityError';
  /** What the client would have to declare. */
  readonly required: ClientCapabilities;

  constructor(required: ClientCapabilities, message: string) {
    super('capability-missing', message);
    this.required = required;
  }
}

/** Turns anything thrown into what goes on the wire; undefined means it must not be told to the peer. */
export function toWireError(thrown: unknown, revision: Revision): WireError | undefined {
  if (thrown instanceof RpcError) return spoken(thrown.toWire(), revision);
  if (thrown instanceof MissingCapabilityError) {
    const { message, required } = thrown;
    return { code: ErrorCode.missingClientCapability, message, data: { requiredCapabilities: required } };
  }
  return undefined;
}

/** What a peer hears of an error that is none of its business. */
export const internalError: WireError = { code: ErrorCode.internalError, message: 'Internal error' };

// The range the specification keeps for itself, and what it has defined there.
const reserved = { from: -32_099, to: -32_020 };
const defined: ReadonlySet<number> = new Set([
  ErrorCode.headerMismatch,
  ErrorCode.missingClientCapability,
  ErrorCode.unsupportedProtocolVersion,
]);

/**
 * An error in the codes of one revision: what another revision says otherwise is translated, what it must not say
 * loses its code.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 */
function spoken(error: WireError, { rules }: Revision): WireError {
  const { code, message } = error;
  if (code === ErrorCode.resourceNotFound) return { ...error, code: rules.notFoundCode };
  if (code === ErrorCode.urlElicitationRequired) {
    return rules.urlElicitationError ? error : { code: ErrorCode.invalidRequest, message };
  }
  const unknown = code >= reserved.from && code <= reserved.to && !defined.has(code);
  return unknown ? { ...error, code: ErrorCode.internalError } : error;
}
