/**
 * The text of a Node program that serves tools over stdio in 2025-11-25, without dependencies, so that it runs in any folder.
 * @param tools - names, or whole definitions.
 * @param version - in the server info.
 */
export function plainServer(tools: readonly (string | object)[], version = '1.0.0'): string {
  const list = tools.map((tool) =>
    typeof tool === 'string'
      ? { name: tool, description: `Tool ${tool}`, inputSchema: { type: 'object' } }
      : tool,
  );
  return `#!/usr/bin/env node
const readline = require('node:readline');
const answers = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'weather', title: 'Weather', version: '${version}' },
  },
  'tools/list': { tools: ${JSON.stringify(list)} },
  ping: {},
};
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method];
  const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
`;
}
