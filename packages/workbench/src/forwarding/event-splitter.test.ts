import { expect, it } from 'vitest';
import { EventSplitter } from './event-splitter.js';

const text = ': hello\n\nid: 1\nevent: message\ndata: {"é":\ndata: 1}\n\nretry: 5\r\nid:2\r\n\r\ndata\n\n';

it('splits events wherever the stream is cut', () => {
  const bytes = Buffer.from(text);
  const whole = new EventSplitter(1_000).push(bytes);
  expect(whole.map(({ id, event, data }) => ({ id, event, data }))).toEqual([
    { id: undefined, event: undefined, data: undefined },
    { id: '1', event: 'message', data: '{"é":\n1}' },
    { id: '2', event: undefined, data: undefined },
    { id: undefined, event: undefined, data: '' },
  ]);
  for (let at = 0; at <= bytes.length; at++) {
    const splitter = new EventSplitter(1_000);
    const events = [...splitter.push(bytes.subarray(0, at)), ...splitter.push(bytes.subarray(at))];
    expect(Buffer.concat(events.map((event) => event.bytes))).toEqual(bytes);
    expect(events.map(({ data }) => data).filter((data) => data !== undefined)).toEqual(['{"é":\n1}', '']);
  }
});

it('splits events of a stream that comes byte by byte', () => {
  const splitter = new EventSplitter(1_000);
  const events = [...Buffer.from(text)].flatMap((byte) => splitter.push(Buffer.of(byte)));
  expect(events.map(({ id }) => id)).toEqual([undefined, '1', '2', undefined]);
});

it('keeps an event back until it is complete', () => {
  const splitter = new EventSplitter(1_000);
  expect(splitter.push(Buffer.from('data: 1\n'))).toEqual([]);
  expect(splitter.end().toString()).toBe('data: 1\n');
});

it('rejects an event that is too long', () => {
  const splitter = new EventSplitter(10);
  expect(splitter.push(Buffer.from('data: 1\n\n'))).toHaveLength(1);
  expect(() => splitter.push(Buffer.from('data: 12345'))).toThrow(RangeError);
});
