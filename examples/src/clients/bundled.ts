// A server and a client for a single-file bundle for Node, with Ajv and undici.
import { connect, textOf } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { undiciSender } from '@tenon/mcp-client/undici';
import { createServer } from '@tenon/mcp-server';
import { validator } from '@tenon/mcp-server/ajv';
import { serveHttp } from '@tenon/mcp-server/http';

const input = {
  type: 'object',
  properties: { kilometres: { type: 'number', minimum: 0 } },
  required: ['kilometres'],
} as const;
// #region server
const server = createServer({ name: 'units', version: '1.0.0' }, { validator }).tool(
  'miles',
  { description: 'Kilometres in miles', input },
  ({ kilometres }) => `${(kilometres / 1.609344).toFixed(1)} miles`,
);
// #endregion
const serving = await serveHttp(server, { port: 0 });

// #region client
const client = await connect<typeof server>(httpTarget(serving.url, { sender: undiciSender }), {
  info: { name: 'walker', version: '1.0.0' },
});
// #endregion
for (const kilometres of [42.195, -1]) {
  const { content } = await client.callTool('miles', { kilometres });
  console.log(textOf(content));
}
await client.close();
await serving.close();
