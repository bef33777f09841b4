import { describe, expect, it } from 'vitest';
import { showsBy } from '../../../../../tooling/suite/shows.js';
import { FakeService } from '../../../test/fake-service.js';
import { httpBoundsOf } from './http-limits.js';
import { messageOf } from './message-body.js';

const limits = { ...httpBoundsOf(), nesting: 4 };

describe('an invalid body', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['white space', ' \n'],
    ['half an object', '{"jsonrpc":"2.0"'],
    ['two objects', '{}{}'],
    ['a byte order mark', '\ufeff{}'],
    ['a comment', '{} // x'],
    ['NaN', '{"id":NaN}'],
    ['an unescaped line feed', '{"a":"\n"}'],
    ['markup', '<html></html>'],
  ])('rejects %s with 400 and no id', (_title, text) => {
    const call = new FakeService().post(text);
    expect(call.status).toBe(400);
    expect(call.json).toEqual({
      jsonrpc: '2.0',
      error: { code: -32700, message: expect.stringContaining('not JSON') },
    });
  });

  it('is not repeated whole in the error', () => {
    const call = new FakeService().post(`x${'secret'.repeat(10_000)}`);
    expect(call.text.length).toBeLessThan(500);
  });
});

describe('nesting', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  it('is accepted up to the limit', () => {
    expect(messageOf({ text: nested(4) }, limits)).toEqual({ value: [[[[]]]] });
  });

  it.each([
    ['lists', nested(5)],
    ['objects', `${'{"a":'.repeat(5)}1${'}'.repeat(5)}`],
  ])('is rejected above the limit: %s', (_title, text) => {
    expect(messageOf({ text }, limits)).toMatchObject({ status: 400, code: -32700 });
  });

  it('is rejected with the id of the request, and not as a parse error', () => {
    const request = { jsonrpc: '2.0', id: 'a', method: 'x', params: { a: [[[]]] } };
    expect(messageOf({ value: request }, limits)).toMatchObject({ code: -32600, about: { id: 'a' } });
    const deep = { jsonrpc: '2.0', id: 7, method: 'x', params: JSON.parse(nested(600)) };
    const call = new FakeService().post(deep);
    expect(call).toMatchObject({ status: 400, json: { id: 7, error: { code: -32600 } } });
  });

  it('is also rejected if the application has parsed the body', () => {
    expect(messageOf({ value: [[[[[]]]]] }, limits)).toMatchObject({ status: 400 });
  });

  it('does not overflow the stack with a body full of brackets', () => {
    const call = new FakeService().post('['.repeat(200_000) + ']'.repeat(200_000));
    expect(call.status).toBe(400);
  });
});

it.each([413, 400])('rejects a body that was not read with its status, %i, and no id', (status) => {
  showsBy(status, { '400': '2026-07-28/basic/transports/streamable-http/notification-refused-body' });
  const problem = { status, reason: 'why' };
  expect(messageOf({ problem }, limits)).toEqual({ ...problem, code: -32700 });
});

describe('unusual JSON messages', () => {
  it.each(
    [
      'null',
      '5',
      '"x"',
      '[]',
      'true',
      '{}',
      '{"__proto__":{"method":"initialize"}}',
      '{"constructor":1,"toString":2}',
      '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
      '{"jsonrpc":"2.0","id":1,"method":"constructor","params":{"_meta":{"__proto__":5}}}',
      '{"method":"initialize"}',
      '{"method":"initialize","params":null}',
      '{"jsonrpc":"2.0","id":{},"method":"x"}',
      '{"jsonrpc":"2.0","id":1,"params":[],"method":"x"}',
      `{"jsonrpc":"2.0","id":"${'x'.repeat(100_000)}","method":"x"}`,
      `{"jsonrpc":"2.0","id":1${'0'.repeat(400)},"method":"x"}`,
    ].map((text) => [text.slice(0, 60), text]),
  )('answers %s without opening a session', (_title, text) => {
    const host = new FakeService();
    const call = host.post(text ?? '');
    expect(call.closed).toBe(true);
    expect(call.status).toBeLessThan(500);
    expect(host.service.sessions).toBe(0);
    expect(({} as { method?: unknown }).method).toBeUndefined();
  });
});
