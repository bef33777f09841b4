import { describe, expect, it } from 'vitest';
import { MessageCounter } from './message-counter.js';

const progress =
  'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n';
const answer = 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n\n';

describe('MessageCounter', () => {
  it('counts messages and answers, wherever the chunks are cut', () => {
    const bytes = Buffer.from(progress + progress + answer);
    for (const size of [1, 2, 3, 7, 8, 9, 50, bytes.length]) {
      const counter = new MessageCounter();
      for (let at = 0; at < bytes.length; at += size) counter.take(bytes.subarray(at, at + size));
      expect(counter, `chunks of ${size}`).toMatchObject({ messages: 3, answers: 1, failed: false });
    }
  });

  it('ignores matching text in a result', () => {
    const counter = new MessageCounter();
    const text = '{"jsonrpc":"2.0","error":{},"result":{}}';
    counter.take(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } })));
    expect(counter).toMatchObject({ messages: 1, answers: 1, failed: false });
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}',
    '{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}',
  ])('sees the error in %s', (text) => {
    for (const cut of [5, text.indexOf('rror'), text.indexOf('true')]) {
      const counter = new MessageCounter();
      counter.take(Buffer.from(text.slice(0, cut)));
      counter.take(Buffer.from(text.slice(cut)));
      expect(counter.failed).toBe(true);
    }
  });
});
