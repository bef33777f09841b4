import { Buffer } from 'node:buffer';
import { requestText } from './raw-http.js';
import { aimed, ask, bodied, chunked, cut, headed, piece, requestTable } from './request-table.js';

requestTable('bytes of HTTP requests', {
  'versions of HTTP': [
    // Node accepts these as versions it knows, and responds with 1.1.
    ...['HTTP/0.9', 'HTTP/1.0', 'HTTP/2.0'].map((version) =>
      aimed(`POST /mcp ${version}`, { gets: [200], ends: true }),
    ),
    ...['HTTP/3.0', 'HTTP/1.11', 'HTTP/', 'HTCPCP/1.0', ''].map((version) =>
      aimed(`POST /mcp ${version}`, cut(400)),
    ),
    {
      name: 'the beginning of HTTP/2',
      bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ...cut(400),
    },
    {
      name: 'the beginning of TLS',
      bytes: () => Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
      ...cut(400),
    },
    { name: 'a request of HTTP/0.9', bytes: () => 'GET /mcp\r\n\r\n', ...cut(403) },
    { name: 'a line of JSON', bytes: (peer) => `${ask(peer)}\n`, ...cut(400) },
    { name: 'zeroes', bytes: () => Buffer.alloc(100), ...cut(400) },
    headed('an expectation that is none', { expect: 'wonders' }, 417),
    headed('an expectation that is met', { expect: '100-continue' }, { gets: [100, 200] }),
  ],
  lengths: [
    headed('two lengths', { 'content-length': ['5', '50'] }, cut(400)),
    ...['-1', '2x', '1e3', '0x10', '1 1', '99999999999999999999'].map((length) =>
      headed(`Content-Length: ${length}`, { 'content-length': length }, cut(400)),
    ),
    headed('a length and chunks', { 'transfer-encoding': 'chunked' }, cut(400)),
    headed(
      'a length that is too short: the rest is no request, and nothing is answered',
      { 'content-length': '10' },
      cut(),
    ),
    headed('a length of 5 MB that never come', { 'content-length': '5000000' }, 413),
    bodied('5 MB', Buffer.alloc(5_000_000, 'x'), 413),
    bodied('5 MB of JSON', JSON.stringify({ jsonrpc: '2.0', method: 'x'.repeat(5_000_000) }), 413),
    bodied('nothing', '', 400),
    chunked('a body in pieces', (body) => `${[...body].map(piece).join('')}0\r\n\r\n`, 200),
    chunked(
      'pieces with remarks',
      (body) => `${body.length.toString(16)};remark="x"\r\n${body}\r\n0\r\n\r\n`,
      200,
    ),
    chunked('a piece without size', () => 'zz\r\n{}\r\n0\r\n\r\n', cut(400)),
    chunked('a piece of negative size', () => '-2\r\n{}\r\n0\r\n\r\n', cut(400)),
    chunked('a piece of endless size', () => `${'F'.repeat(17)}\r\n{}\r\n`, cut(400)),
    chunked('a piece that is longer than it says', () => '2\r\n{}{}\r\n0\r\n\r\n', cut(400)),
    chunked('a piece whose remark does not end', () => `2;${'x'.repeat(20_000)}`, cut(413)),
    chunked('pieces of 5 MB', () => `${piece('x'.repeat(100_000)).repeat(50)}0\r\n\r\n`, 413),
    chunked(
      'a session in what trails',
      (body) => `${piece(body)}0\r\nmcp-session-id: x\r\nhost: evil.example\r\n\r\n`,
      200,
    ),
    headed(
      'another encoding of the way',
      { 'content-length': undefined, 'transfer-encoding': 'gzip, chunked' },
      cut(400),
    ),
    headed('an encoding of the way that hides', { 'transfer-encoding': 'xchunked' }, cut(400)),
    headed(
      'two encodings of the way',
      { 'content-length': undefined, 'transfer-encoding': ['chunked', 'identity'] },
      cut(400),
    ),
  ],
  headers: [
    headed('17 KB in one', { 'x-long': 'x'.repeat(17_000) }, cut(431)),
    headed(
      '17 KB in many',
      Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`x-${n}`, 'x'.repeat(20)])),
      cut(431),
    ),
    headed('a name that is empty', { '': 'x' }, cut(400)),
    headed('a name with a space', { 'x y': 'x' }, cut(400)),
    headed('a space before the colon', { 'host ': 'x' }, cut(400)),
    headed('a line that is folded', { 'x-a': 'b\r\n c: d' }, cut(400)),
    headed('a line feed', { 'x-a': 'b\nhost: evil.example' }, cut(400)),
    headed('a carriage return', { 'x-a': 'b\rhost: evil.example' }, cut(400)),
    headed('NUL', { 'x-a': 'b\u0000' }, cut(400)),
    headed(
      'names of prototypes',
      { __proto__x: '1', constructor: '1', tostring: '1', hasownproperty: '1' },
      200,
    ),
  ],
  bodies: [
    ...[
      'null',
      '1',
      '"x"',
      '{}',
      '[]',
      '[1]',
      '{',
      '}',
      'undefined',
      'NaN',
      "{'a':1}",
      '\u0000',
      '{"a":1}{"b":2}',
      '%7B%7D',
      '<xml/>',
      'a=b',
    ].map((body) => bodied(`the body ${JSON.stringify(body)}`, body, 400)),
    bodied('UTF-16', Buffer.from('{"jsonrpc":"2.0"}', 'utf16le'), 400),
    bodied('no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400),
    bodied('half a character', Buffer.from([0x22, 0xe2, 0x82, 0x22]), 400),
    bodied('a million brackets', '['.repeat(1_000_000), 400),
    bodied('a million levels', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, 400),
  ],
  'requests in one piece': [
    { name: 'three', bytes: (peer) => peer.text(ask(peer)).repeat(3), gets: [200, 200, 200] },
    { name: 'a thousand', bytes: (peer) => peer.text(ask(peer)).repeat(1_000), gets: Array(1_000).fill(200) },
    {
      name: 'a good one between bad ones',
      bytes: (peer) => requestText('PUT /mcp') + peer.text(ask(peer)) + requestText('GET /none'),
      gets: [405, 200, 404],
    },
    {
      name: 'one behind a body that was too long',
      bytes: (peer) =>
        Buffer.concat([
          Buffer.from(requestText('POST /mcp', { ...peer.headersFor('{}'), 'content-length': '5000000' })),
          Buffer.alloc(5_000_000, 'x'),
          Buffer.from(peer.text(ask(peer))),
        ]),
      gets: [413, 200],
    },
    {
      name: 'garbage behind a good one, which is not begun: its connection is closed',
      bytes: (peer) => `${peer.text(ask(peer))}garbage\r\n\r\n`,
      gets: [],
      ends: true,
    },
    { name: 'line ends before a request', bytes: (peer) => `\r\n\r\n${peer.text(ask(peer))}`, gets: [200] },
  ],
});
