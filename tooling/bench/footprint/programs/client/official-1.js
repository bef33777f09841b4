import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** @param {string} url */
export async function call(url) {
  const client = new Client({ name: 'small', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const result = await client.callTool({ name: 'plan', arguments: { city: 'Oslo', days: 3 } });
  await client.close();
  return result;
}
