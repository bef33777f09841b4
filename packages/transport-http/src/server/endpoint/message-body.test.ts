import { describe, expect, it } from 'vitest';
import { FakeService } from '../../../test/fake-service.js';
import { defaultHttpLimits } from './http-limits.js';
import { messageOf } from './message-body.js';

const limits = { ...defaultHttpLimits, nesting: 4 };

describe('a body that is no message', () => {
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
  ])('%s is refused with 400 and no id', (_title, text) => {
    const call = new FakeService().post(text);
    expect(call.status).toBe(400);
    expect(call.json).toEqual({
      jsonrpc: '2.0',
      error: { code: -32700, message: expect.stringContaining('not JSON') },
    });
  });

  it('is not thrown back whole', () => {
    const call = new FakeService().post(`x${'secret'.repeat(10_000)}`);
    expect(call.text.length).toBeLessThan(500);
  });
});

describe('depth', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  it('is taken up to the limit', () => {
    expect(messageOf({ text: nested(4) }, limits)).toEqual({ value: [[[[]]]] });
  });

  it.each([
    ['lists', nested(5)],
    ['objects', `${'{"a":'.repeat(5)}1${'}'.repeat(5)}`],
  ])('is refused beyond it: %s', (_title, text) => {
    expect(messageOf({ text }, limits)).toMatchObject({ status: 400, code: -32700 });
  });

  it('is refused under the id of the request, which is no parse error then', () => {
    const request = { jsonrpc: '2.0', id: 'a', method: 'x', params: { a: [[[]]] } };
    expect(messageOf({ value: request }, limits)).toMatchObject({ code: -32600, about: { id: 'a' } });
    const deep = { jsonrpc: '2.0', id: 7, method: 'x', params: JSON.parse(nested(600)) };
    const call = new FakeService().post(deep);
    expect(call).toMatchObject({ status: 400, json: { id: 7, error: { code: -32600 } } });
  });

  it('is refused where the application has parsed the body', () => {
    expect(messageOf({ value: [[[[[]]]]] }, limits)).toMatchObject({ status: 400 });
  });

  it('is no way to crash: a body full of brackets', () => {
    const call = new FakeService().post('['.repeat(2_000_000) + ']'.repeat(2_000_000));
    expect(call.status).toBe(400);
  });
});

it.each([413, 400])('a body that was not taken is refused with its status, %i, and no id', (status) => {
  const flaw = { status, reason: 'why' };
  expect(messageOf({ flaw }, limits)).toEqual({ ...flaw, code: -32700 });
});

describe('odd messages that are JSON', () => {
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
  )('%s gets an answer and opens nothing', (_title, text) => {
    const host = new FakeService();
    const call = host.post(text ?? '');
    expect(call.closed).toBe(true);
    expect(call.status).toBeLessThan(500);
    expect(host.service.sessions).toBe(0);
    expect(({} as { method?: unknown }).method).toBeUndefined();
  });
});
