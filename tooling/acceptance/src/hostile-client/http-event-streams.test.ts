import { otherBounds } from '@tenon/foundation';
import { answer, answered, events, fails, isGood, light, pour, status } from './http-answering.js';
import type { Posted } from './posted-liar.js';
import { handshake, stateless, table } from './table.js';

table('event streams that answer a call', [
  answered(
    'no blank line',
    (posted) => status(200, events, `data: ${answer(posted)}\n`)(posted),
    fails(/ended the stream before the answer/),
    { revisions: [stateless] },
  ),
  answered(
    'comments only',
    status(200, events, ': hello\n\n'.repeat(1_000)),
    fails(/ended the stream before the answer/),
    { revisions: [stateless] },
  ),
  answered('comments without end', (posted) => pour(posted, events, ':\n'), fails(/limit maxStreamBytes/), {
    http: otherBounds({ maxStreamBytes: 1_000_000 }),
    act: light,
  }),
  answered('a line without end', (posted) => pour(posted, events, 'x'), fails(/limit maxEventChars/), {
    http: otherBounds({ maxEventChars: 1_000_000 }),
    act: light,
  }),
  answered(
    'an event without end',
    (posted) => pour(posted, events, 'data: x\n'),
    fails(/limit maxEventChars/),
    { http: otherBounds({ maxEventChars: 1_000_000 }), act: light },
  ),
  answered('an id without end', (posted) => pour(posted, events, 'id: x'), fails(/limit maxEventChars/), {
    http: otherBounds({ maxEventChars: 1_000_000 }),
    act: light,
  }),
  answered(
    'bytes that are no UTF-8',
    (posted) => posted.response.writeHead(200, events).end(Buffer.from([0x64, 0xff, 0x0a, 0x0a])),
    fails(/not UTF-8/),
    { revisions: [stateless] },
  ),
  answered('nothing at all', status(200, events), fails(/ended the stream before the answer/), {
    revisions: [stateless],
  }),
  answered(
    'a huge retry',
    (posted) => status(200, events, `retry: 99999999999999999999\n\ndata: ${answer(posted)}\n\n`)(posted),
    isGood,
  ),
  answered(
    'a retry that is no number',
    (posted) => status(200, events, `retry: -1e9\nretry: NaN\n\ndata: ${answer(posted)}\n\n`)(posted),
    isGood,
  ),
  answered(
    'ids with NUL and what is no ASCII',
    (posted) => status(200, events, `id: \u0000\nid: \u00fc\ndata: ${answer(posted)}\n\n`)(posted),
    isGood,
  ),
  answered(
    'line ends of every kind, and a byte order mark',
    (posted) => status(200, events, `\ufeff: x\r\rdata: ${answer(posted)}\r\n\r\n`)(posted),
    isGood,
  ),
  answered(
    'an event of another kind',
    (posted) =>
      status(200, events, `event: endpoint\ndata: /elsewhere\n\ndata: ${answer(posted)}\n\n`)(posted),
    isGood,
  ),
  answered(
    'an event that is no JSON, then the answer',
    (posted) => status(200, events, `data: {\n\ndata: ${answer(posted)}\n\n`)(posted),
    isGood,
    { reported: /not JSON/ },
  ),
  answered(
    'the answer, then no end',
    (posted) => posted.response.writeHead(200, events).write(`data: ${answer(posted)}\n\n`),
    isGood,
  ),
  answered(
    'the answer, then a flood',
    (posted) => {
      posted.response.writeHead(200, events);
      posted.response.write(`data: ${answer(posted)}\n\n`);
      for (let count = 0; count < 1_000; count++)
        posted.response.write(`data: ${answer(posted, { content: [] })}\n\n`);
    },
    isGood,
  ),
]);

const all = [handshake, stateless];
let stolen: Posted | undefined;

table('answers on the way of another call', [
  answered(
    'are taken, for the id tells whose they are',
    (posted) => {
      stolen = posted;
      posted.response.writeHead(200, events).flushHeaders();
    },
    isGood,
    {
      revisions: all,
      raw: {
        'tools/call bad': (posted) => {
          stolen = posted;
          posted.response.writeHead(200, events).flushHeaders();
        },
        'tools/call other': (posted) => {
          posted.response.writeHead(200, events);
          if (stolen !== undefined) posted.response.write(`data: ${answer(stolen)}\n\n`);
          posted.response.end(`data: ${answer(posted)}\n\n`);
        },
      },
      act: async (stage) => {
        const call = stage.client.callTool('bad');
        await stage.liar.receives('tools/call bad');
        await stage.client.callTool('other');
        return call;
      },
    },
  ),
]);
