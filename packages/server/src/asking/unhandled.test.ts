import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { Suspension } from './suspension.js';
import { surviveSuspensions } from './unhandled.js';

test('a suspension ends nothing, any other rejection what it would have', () => {
  const source = new EventEmitter();
  surviveSuspensions(source);
  source.emit('unhandledRejection', new Suspension(['q']));
  expect(() => source.emit('unhandledRejection', new RangeError('bug'))).toThrow('bug');
});

test('where somebody else listens too, the decision is theirs', () => {
  const source = new EventEmitter();
  surviveSuspensions(source);
  const heard: unknown[] = [];
  source.on('unhandledRejection', (reason) => heard.push(reason));
  source.emit('unhandledRejection', 'bug');
  expect(heard).toEqual(['bug']);
});

test('one source listened to twice still ends with what it would have ended with', () => {
  const source = new EventEmitter();
  surviveSuspensions(source);
  surviveSuspensions(source);
  source.emit('unhandledRejection', new Suspension(['q']));
  expect(() => source.emit('unhandledRejection', new RangeError('bug'))).toThrow('bug');
});
