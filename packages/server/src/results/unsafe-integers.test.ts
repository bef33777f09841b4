import { MetaKey } from '@tenon/mcp-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { HttpPeer } from '../../test/http-peer.js';
import { latestStateless as revision } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import { createServer } from '../server.js';

test.each([
  [2 ** 53, '9007199254740992'],
  [2 ** 53, '9007199254740993'],
  [-(2 ** 53), '-9007199254740992'],
  [1e300, '1e+300'],
])('an integer beyond the safe ones in a marked parameter is refused: %s by %s', async (size, header) => {
  shows('2026-07-28/basic/transports/streamable-http/mark-safe-integers');
  const input = {
    type: 'object',
    properties: { size: { type: 'integer', 'x-mcp-header': 'Size' } },
  } as const;
  const server = createServer({ name: 'test', version: '1' }).tool('t', { input }, () => 'ran');
  const serving = await serveHttp(server, { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  const peer = await HttpPeer.open(serving.url, { revision });
  const _meta = { [MetaKey.protocolVersion]: revision.id, [MetaKey.clientCapabilities]: {} };
  const response = await peer.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', arguments: { size }, _meta } },
    {
      'mcp-protocol-version': revision.id,
      'mcp-method': 'tools/call',
      'mcp-name': 't',
      'mcp-param-size': header,
    },
  );
  const { error, result } = (await response.json()) as { error?: unknown; result?: { isError?: boolean } };
  expect(error !== undefined || result?.isError === true).toBe(true);
});
