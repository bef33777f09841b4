import {
  type ClientCapabilities,
  ErrorCode,
  type Revision,
  RpcError,
  SessionError,
  type WireError,
} from '@tenon/mcp-protocol';

/** Thrown if a request needs a capability that its client did not declare. */
export class MissingCapabilityError extends SessionError {
  override readonly name = 'MissingCapabilityError';
  /** The capabilities that the client must declare. */
  readonly required: ClientCapabilities;

  constructor(required: ClientCapabilities, message: string) {
    super('capability-missing', message);
    this.required = required;
  }
}

/** Returns a thrown value as a wire error; undefined if it must be hidden from the peer. */
export function toWireError(thrown: unknown, revision: Revision): WireError | undefined {
  if (thrown instanceof RpcError) return spoken(thrown.toWire(), revision);
  if (thrown instanceof MissingCapabilityError) {
    const { message, required } = thrown;
    return { code: ErrorCode.missingClientCapability, message, data: { requiredCapabilities: required } };
  }
  return undefined;
}

/** The answer for an error that is hidden from the peer. */
export const internalError: WireError = { code: ErrorCode.internalError, message: 'Internal error' };

// The code range that the specification reserves, and the codes it defines.
const reserved = { from: -32_099, to: -32_020 };
const defined: ReadonlySet<number> = new Set([
  ErrorCode.headerMismatch,
  ErrorCode.missingClientCapability,
  ErrorCode.unsupportedProtocolVersion,
]);

/**
 * Returns an error in the codes of one revision: codes of other revisions are translated, codes that it must not send
 * are replaced.
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
