import {
  ErrorCode,
  RemoteError,
  RpcError,
  SessionError,
  type SessionErrorReason,
  TransportError,
} from '@tenon/mcp-client';
import { isObject, type MatcherState, type Outcome, printed, unfit } from './outcome.js';

/** A code of an error: its number on the wire, the name of that number, or the reason of a SessionError. */
export type FailureCode = number | keyof typeof ErrorCode | SessionErrorReason;

/** Expects a promise, or a function that returns one, to reject with an error of this code. */
export async function toRejectWithCode(
  this: MatcherState,
  received: unknown,
  code: FailureCode,
): Promise<Outcome> {
  requireCode(code);
  const given: unknown = typeof received === 'function' ? received() : received;
  if (!isObject(given) || typeof given.then !== 'function') {
    return unfit(this, 'a promise, such as client.callTool(...) without await', received);
  }
  let error: unknown;
  try {
    const value: unknown = await given;
    const came = printed(this, value);
    return {
      pass: false,
      message: () => `expected a rejection with ${shown(code)}, and it resolved with ${came}`,
    };
  } catch (thrown) {
    error = thrown;
  }
  const pass = isOf(error, code);
  return {
    pass,
    message: () =>
      pass
        ? `expected another rejection than ${describeError(error)}`
        : `expected a rejection with ${shown(code)}, received ${describeError(error)}`,
  };
}

const reasons: { readonly [Reason in SessionErrorReason]: true } = {
  closed: true,
  timeout: true,
  cancelled: true,
  'not-in-revision': true,
  'capability-missing': true,
  'no-common-revision': true,
  'invalid-answer': true,
  refused: true,
  limit: true,
};

function requireCode(code: unknown): void {
  const isKnown =
    typeof code === 'string' && (Object.hasOwn(ErrorCode, code) || Object.hasOwn(reasons, code));
  if (typeof code === 'number' || isKnown) return;
  const there = [...Object.keys(ErrorCode), ...Object.keys(reasons)].join(', ');
  throw new TypeError(
    `toRejectWithCode: unknown code ${JSON.stringify(code)}. Use a number or one of: ${there}.`,
  );
}

function isOf(error: unknown, code: FailureCode): boolean {
  if (hasCode(error)) return error.code === numberOf(code);
  return error instanceof SessionError && error.reason === code;
}

function hasCode(error: unknown): error is RemoteError | RpcError {
  return error instanceof RemoteError || error instanceof RpcError;
}

function numberOf(code: FailureCode): number | undefined {
  if (typeof code === 'number') return code;
  return Object.hasOwn(ErrorCode, code) ? ErrorCode[code as keyof typeof ErrorCode] : undefined;
}

function shown(code: FailureCode): string {
  const number = numberOf(code);
  return typeof code === 'number' || number === undefined ? String(code) : `${code} (${number})`;
}

function describeError(error: unknown): string {
  if (hasCode(error)) return `${error.name} ${error.code}: ${error.message}`;
  if (error instanceof SessionError) return `SessionError ${error.reason}: ${error.message}`;
  if (error instanceof TransportError) return `TransportError, without a code: ${error.message}`;
  return String(error);
}
