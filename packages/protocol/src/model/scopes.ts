import { ErrorCode, RpcError } from '../json-rpc/errors.js';

/** Characters of one scope. */
const longest = 256;

/**
 * True for the name of one scope: visible ASCII without quotation marks and backslashes, at most 256 characters. Such a
 * text is valid in a header without encoding.
 * https://www.rfc-editor.org/rfc/rfc6749#section-3.3
 */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longest && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value);
}

/**
 * Returns the problem of a scope that a server requires, as the end of a sentence; undefined for a valid scope.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#refresh-tokens
 */
export function scopeProblem(value: unknown): string | undefined {
  if (!isScope(value))
    return `must be the name of a scope such as "notes:write": up to ${longest} visible ASCII characters, no spaces, no quotation marks, no backslashes`;
  return value === 'offline_access'
    ? 'must not be "offline_access": whether there are refresh tokens is between clients and their authorization server'
    : undefined;
}

/**
 * The request requires scopes that the caller was not granted: 403 with a challenge over HTTP, an error elsewhere.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#runtime-insufficient-scope-errors
 */
export class InsufficientScopeError extends RpcError {
  override readonly name: string = 'InsufficientScopeError';
  /** All scopes that the request requires. */
  readonly scopes: readonly string[];

  /**
   * @param scopes - all scopes that the operation requires, granted ones included; at least one.
   * @throws TypeError if a scope is malformed, or the list is empty.
   */
  constructor(scopes: readonly string[], options: { cause?: unknown } = {}) {
    if (!Array.isArray(scopes) || scopes.length === 0 || !scopes.every(isScope)) {
      throw new TypeError('An InsufficientScopeError takes a list of scopes, such as ["notes:write"].');
    }
    const message = `This takes the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(' ')}.`;
    super(ErrorCode.refused, message, { data: { requiredScopes: [...scopes] }, cause: options.cause });
    this.scopes = [...scopes];
  }
}
