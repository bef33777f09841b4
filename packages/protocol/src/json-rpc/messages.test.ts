import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { errorFrame, isRequestId, notificationFrame, requestFrame, resultFrame } from './messages.js';

test.each([0, -1, 2 ** 53 - 1, '', '3', 'a"b\n'])('%j may be an id', (id) => {
  expect(isRequestId(id)).toBe(true);
});

test.each([null, undefined, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, true, {}, []])(
  '%j may not be an id',
  (id) => {
    expect(isRequestId(id)).toBe(false);
  },
);

describe('frames', () => {
  test('ids come back as they were', () => {
    shows('2026-07-28/basic/index/result-id');
    for (const id of [0, '', '3', 3, 'a"b\n\u2028']) {
      expect(JSON.parse(resultFrame(id, '{}'))).toEqual({ jsonrpc: '2.0', id, result: {} });
      expect(JSON.parse(errorFrame(id, { code: 1, message: 'm' })).id).toBe(id);
    }
  });

  test('an id that could not be read is null or absent', () => {
    const error = { code: -32_700, message: 'bad' };
    expect(errorFrame(null, error)).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}',
    );
    expect(errorFrame(undefined, error)).toBe('{"jsonrpc":"2.0","error":{"code":-32700,"message":"bad"}}');
  });

  test('absent params are left out', () => {
    expect(requestFrame(1, 'ping', undefined)).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(requestFrame('a', 'm', {})).toBe('{"jsonrpc":"2.0","id":"a","method":"m","params":{}}');
    expect(notificationFrame('n', undefined)).toBe('{"jsonrpc":"2.0","method":"n"}');
    expect(notificationFrame('n', { a: 1 })).toBe('{"jsonrpc":"2.0","method":"n","params":{"a":1}}');
  });

  test('a notification is written alike each time, whatever its method is called', () => {
    shows('2024-11-05/basic/messages/notification-without-id', '2026-07-28/basic/index/notification-no-id');
    const methods = ['a"b\n', ...Array.from({ length: 100 }, (_, index) => `n/${index}`)];
    for (const method of [...methods, ...methods]) {
      const params = { at: method, absent: undefined };
      expect(notificationFrame(method, params)).toBe(JSON.stringify({ jsonrpc: '2.0', method, params }));
    }
  });

  test('no frame holds a line break', () => {
    shows('2026-07-28/basic/transports/stdio/no-embedded-newlines');
    expect(resultFrame('a\nb', JSON.stringify({ text: 'c\nd' }))).not.toContain('\n');
  });
});
