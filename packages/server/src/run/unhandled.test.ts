import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { Suspension, surviveSuspensions } from './input-promise.js';

test('a suspension does not end the process, any other rejection does as usual', () => {
  const source = new EventEmitter();
  surviveSuspensions(source);
  source.emit('unhandledRejection', new Suspension(['q']));
  expect(() => source.emit('unhandledRejection', new RangeError('bug'))).toThrow('bug');
});

test('leaves the decision to other listeners if there are any', () => {
  const source = new EventEmitter();
  surviveSuspensions(source);
  const heard: unknown[] = [];
  source.on('unhandledRejection', (reason) => heard.push(reason));
  source.emit('unhandledRejection', 'bug');
  expect(heard).toEqual(['bug']);
});

test('a source with two listeners ends the process as usual', () => {
  const source = new EventEmitter();
  surviveSuspensions(source);
  surviveSuspensions(source);
  source.emit('unhandledRejection', new Suspension(['q']));
  expect(() => source.emit('unhandledRejection', new RangeError('bug'))).toThrow('bug');
});
