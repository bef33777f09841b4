import { describe, expect, it } from 'vitest';
import { steps } from '../matrix/tools.js';
import { isRefusal, messagesOf, problemOf } from './answer.js';

const right = { jsonrpc: '2.0', id: 5, result: { content: [{ type: 'text', text: '3 days in Oslo' }] } };
const call = { id: 5, workload: /** @type {const} */ ('call') };

/** @param {number} count */
function counted(count) {
  const progress = Array.from({ length: count }, (_, index) => ({
    method: 'notifications/progress',
    params: { progressToken: 5, progress: index + 1, total: steps },
  }));
  return [...progress, { id: 5, result: { content: [{ type: 'text', text: `counted to ${steps}` }] } }];
}

describe('messagesOf', () => {
  it('reads JSON, one message or several', () => {
    expect(messagesOf('{"id":1}', 'application/json')).toEqual([{ id: 1 }]);
    expect(messagesOf('[{"id":1},{"id":2}]', 'application/json')).toEqual([{ id: 1 }, { id: 2 }]);
    expect(messagesOf('', 'application/json')).toEqual([]);
  });

  it('reads the events of a stream, and skips those without a message', () => {
    const body = ': hello\n\nid: 1\ndata:\n\nevent: message\r\ndata: {"id":1}\r\n\r\ndata:{"id":2}\n\n';
    expect(messagesOf(body, 'text/event-stream; charset=utf-8')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe('problemOf', () => {
  it('returns undefined for a right answer', () => {
    expect(problemOf([right], call)).toBeUndefined();
    expect(problemOf(counted(steps), { id: 5, workload: 'progress' })).toBeUndefined();
  });

  it.each([
    ['no answer', []],
    ['the answer to another request', [{ ...right, id: 6 }]],
    ['an error', [{ id: 5, error: { code: -32603, message: 'Internal error' } }]],
    ['a wrong text', [{ id: 5, result: { content: [{ type: 'text', text: '4 days in Oslo' }] } }]],
    ['a message too many', [{ method: 'notifications/message', params: {} }, right]],
  ])('tells of %s', (_, messages) => {
    expect(problemOf(messages, call)).toEqual(expect.any(String));
  });

  it('returns a problem when progress is missing or out of order', () => {
    const asked = /** @type {const} */ ({ id: 5, workload: 'progress' });
    expect(problemOf(counted(steps - 1), asked)).toBe(`${steps} messages, not ${steps + 1}`);
    const [first, second, ...more] = counted(steps);
    expect(problemOf([second, first, ...more], asked)).toContain('not the progress that was due');
  });
});

describe('isRefusal', () => {
  it('returns true for an error and an error result only', () => {
    expect(isRefusal([{ id: 5, error: { code: -32602 } }])).toBe(true);
    expect(isRefusal([{ id: 5, result: { isError: true, content: [] } }])).toBe(true);
    expect(isRefusal([right])).toBe(false);
    expect(isRefusal([])).toBe(false);
  });
});
