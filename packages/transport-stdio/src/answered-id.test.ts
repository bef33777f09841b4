import { expect, it } from 'vitest';
import { answeredIdIn, answeredIdOf } from './answered-id.js';

it.each([
  ['{"jsonrpc":"2.0","id":3,"result":{"content":[', 3],
  [' { "jsonrpc" : "2.0" , "id" : 3 , "error" : {', 3],
  ['{"id":3,"jsonrpc":"2.0","result":{', 3],
  ['{"jsonrpc":"2.0","id":"a b","result":{', 'a b'],
  ['{"jsonrpc":"2.0","id":"\t","result":{', '\t'],
  ['{"jsonrpc":"2.0","id":3,"method":"ping","params":{', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/message","params":{"id":3,"result":{', undefined],
  ['{"jsonrpc":"2.0","result":{"jsonrpc":"2.0","id":3,"result":{', undefined],
  ['[{"jsonrpc":"2.0","id":3,"result":{', undefined],
  ['{"jsonrpc":"2.0","id":null,"error":{', undefined],
  ['{"jsonrpc":"2.0","id":3.5,"result":{', undefined],
  ['{"jsonrpc":"2.0","id":12345678901234567890,"result":{', undefined],
  ['{"jsonrpc":"2.0","id":"a\\"b","result":{', undefined],
  ['listening {"jsonrpc":"2.0","id":3,"result":{', undefined],
  [`{${' '.repeat(1_000)}`, undefined],
  ['', undefined],
])('the beginning %j answers %j', (text, id) => {
  expect(answeredIdIn(text)).toBe(id);
});

it.each([
  [{ id: 3, result: {} }, 3],
  [{ id: '3', error: {} }, '3'],
  [{ id: 3, method: 'ping' }, undefined],
  [{ id: null, error: {} }, undefined],
  [{ result: {} }, undefined],
  [[{ id: 3, result: {} }], undefined],
  ['text', undefined],
])('the message %j answers %j', (value, id) => {
  expect(answeredIdOf(value)).toBe(id);
});
