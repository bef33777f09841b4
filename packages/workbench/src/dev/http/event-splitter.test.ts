import { expect, it } from 'vitest';
import { EventSplitter } from './event-splitter.js';

const text = ': hello\n\nid: 1\nevent: message\ndata: {"a":\ndata: 1}\n\nretry: 5\r\nid:2\r\n\r\ndata\n\n';

it('splits events wherever the stream is cut', () => {
  const whole = new EventSplitter().push(text);
  expect(whole.map(({ id, event, data }) => ({ id, event, data }))).toEqual([
    { id: undefined, event: undefined, data: undefined },
    { id: '1', event: 'message', data: '{"a":\n1}' },
    { id: '2', event: undefined, data: undefined },
    { id: undefined, event: undefined, data: '' },
  ]);
  for (let at = 0; at <= text.length; at++) {
    const splitter = new EventSplitter();
    const events = [...splitter.push(text.slice(0, at)), ...splitter.push(text.slice(at))];
    expect(events.map((event) => event.text).join('')).toBe(text);
    expect(events.filter(({ data }) => data !== undefined)).toHaveLength(2);
  }
});

it('keeps an event back until it is complete', () => {
  expect(new EventSplitter().push('data: 1\n')).toEqual([]);
});
