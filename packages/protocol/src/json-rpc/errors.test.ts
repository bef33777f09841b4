import { expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { ErrorCode, RpcError, SessionError, TransportError } from './errors.js';

test('codes of our own stand outside the range JSON-RPC keeps', () => {
  shows(
    '2026-07-28/basic/index/legacy-codes-not-allocated',
    '2026-07-28/basic/index/legacy-codes-unused',
    '2026-07-28/basic/index/own-codes-outside',
  );
  const ours = [ErrorCode.overloaded, ErrorCode.shuttingDown, ErrorCode.refused];
  for (const code of ours) expect(code < -32_768 || code > -32_000).toBe(true);
  expect(new Set(Object.values(ErrorCode)).size).toBe(Object.values(ErrorCode).length);
});

test('an error that crosses the wire keeps its cause to itself', () => {
  shows('2026-07-28/basic/index/error-members');
  const error = new RpcError(-32_602, 'params.x: is required', { data: { x: 1 }, cause: new Error('inner') });
  expect(error.toWire()).toEqual({ code: -32_602, message: 'params.x: is required', data: { x: 1 } });
  expect(error.cause).toBeInstanceOf(Error);
  expect(new RpcError(1, 'm').toWire()).toEqual({ code: 1, message: 'm' });
  expect('data' in new RpcError(1, 'm').toWire()).toBe(false);
});

test.each([1.5, Number.NaN, '1' as never])('%s is not an error code', (code) => {
  showsBy(code, {
    '1.5': ['2024-11-05/basic/messages/error-code-integer', '2026-07-28/basic/index/error-code-integer'],
  });
  expect(() => new RpcError(code, 'm')).toThrow(RangeError);
});

test('error families differ by name and reason', () => {
  shows('2026-07-28/basic/index/local-errors');
  const timeout = new SessionError('timeout', 'm', { cause: 'c' });
  expect([timeout.name, timeout.reason, timeout.cause]).toEqual(['SessionError', 'timeout', 'c']);
  const died = new TransportError('gone', { status: 3 });
  expect([died.name, died.status]).toEqual(['TransportError', 3]);
});
