import { unreadIdOf } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { unreadIdIn } from './unread-id.js';

it.each([
  ['{"jsonrpc":"2.0","id":3,"result":{"content":[', 3],
  [' { "jsonrpc" : "2.0" , "id" : 3 , "error" : {', 3],
  ['{"id":3,"jsonrpc":"2.0","result":{', 3],
  ['{"jsonrpc":"2.0","id":"a b","result":{', 'a b'],
  ['{"jsonrpc":"2.0","id":"\t","result":{', '\t'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping","params":{', undefined],
  ['{"jsonrpc":"2.0","id":3,"id":4,"result":{', undefined],
  ['{"jsonrpc":"1.0","id":3,"result":{', undefined],
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
  expect(unreadIdIn(text)).toEqual(id === undefined ? undefined : { kind: 'response', id });
});

it.each([
  [{ id: 3, result: {} }, 3],
  [{ id: '3', error: {} }, '3'],
  [{ id: 3.5, result: {} }, undefined],
  [{ id: null, error: {} }, undefined],
  [{ result: {} }, undefined],
  [[{ id: 3, result: {} }], undefined],
  ['text', undefined],
])('the message %j answers %j', (value, id) => {
  expect(unreadIdOf(value)).toEqual(id === undefined ? undefined : { kind: 'response', id });
});

it.each([
  ['{"jsonrpc":"2.0","id":3,"method":"ping","params":{', 3],
  ['{"jsonrpc":"2.0","method":"ping","id":"a","params":{', 'a'],
  ['{"method":"ping","id":3,"jsonrpc":"2.0","params":{', 3],
  ['{ "id" : 3 , "method" : "ping" , "params" : {', 3],
  ['{"jsonrpc":"2.0","method":"ping","params":{"id":3,', undefined],
  ['{"jsonrpc":"1.0","id":3,"method":"ping","params":{', undefined],
  ['{"jsonrpc":"2.0","id":3,"method":7,"params":{', undefined],
])('the beginning %j is of the request %j', (text, id) => {
  expect(unreadIdIn(text)).toEqual(id === undefined ? undefined : { kind: 'request', id });
});

it('distinguishes a request from a response', () => {
  expect(unreadIdOf({ id: 3, method: 'ping' })).toEqual({ kind: 'request', id: 3 });
});
