import { expect, it } from 'vitest';
import { addresseeOf, idPrefixOf } from './addressee.js';

const process = 'abcdefghijk2';
const id = `${idPrefixOf(process)}7`;

it.each<[string, object, object | undefined]>([
  ['an answer', { id, result: {} }, { process, answers: true }],
  ['an error', { id, error: { code: 1, message: 'no' } }, { process, answers: true }],
  [
    'progress',
    { method: 'notifications/progress', params: { progressToken: id, progress: 1 } },
    { process, answers: false },
  ],
  ['a cancellation', { method: 'notifications/cancelled', params: { requestId: 1 } }, { process: undefined }],
  ['a request with such an id', { id, method: 'tools/call' }, undefined],
  ['an answer to a number', { id: 7, result: {} }, undefined],
  ['an answer to another text', { id: '7', result: {} }, undefined],
  ['an answer to a longer text', { id: `x${id}`, result: {} }, undefined],
  ['progress of a number', { method: 'notifications/progress', params: { progressToken: 7 } }, undefined],
  ['progress without params', { method: 'notifications/progress' }, undefined],
  ['another notification', { method: 'notifications/initialized' }, undefined],
  ['a list', [{ id, result: {} }], undefined],
])('finds the process that %s is for', (_, message, addressee) => {
  expect(addresseeOf(message)).toEqual(addressee);
});
