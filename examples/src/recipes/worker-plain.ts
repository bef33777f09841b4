// A worker where code generation is forbidden: plain JSON Schema is interpreted.
import { connect, textOf } from '@tenon/mcp-client';
// #region worker
import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { interpreter } from '@tenon/mcp-server/interpreter';

const server = createServer({ name: 'units', version: '1.0.0' }, { validator: interpreter() }).tool(
  'miles',
  {
    description: 'Kilometres in miles',
    input: {
      type: 'object',
      properties: { kilometres: { type: 'number', minimum: 0 } },
      required: ['kilometres'],
    },
  },
  ({ kilometres }) => `${(kilometres / 1.609344).toFixed(1)} miles`,
);

// The platform has checked the host name.
const mcp = toFetchHandler(server, { allowedHosts: 'any', sessions: false });

export default { fetch: (request: Request): Promise<Response> => mcp(request) };
// #endregion

const client = await connect<typeof server>('https://units.example/mcp', {
  info: { name: 'traveller', version: '1.0.0' },
  fetch: (url, init) => mcp(new Request(url, init)),
});
console.log(textOf((await client.callTool('miles', { kilometres: 42.195 })).content));
const { isError, content } = await client.callTool('miles', { kilometres: -1 });
console.log(isError, textOf(content));
await client.close();
await mcp.drain();
