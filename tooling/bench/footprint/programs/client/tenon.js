import { connect } from '@tenon/mcp-client';

/** @param {string} url */
export async function call(url) {
  const client = await connect(url, { info: { name: 'small', version: '1.0.0' } });
  const result = await client.callTool('plan', { city: 'Oslo', days: 3 });
  await client.close();
  return result;
}
