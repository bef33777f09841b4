import { connect } from '@tenon/mcp-client';
import { idempotency } from '@tenon/mcp-idempotency/client';

const client = await connect('http://localhost:3000/mcp', {
  info: { name: 'assistant', version: '1.0.0' },
  extensions: [idempotency()],
});
await client.callTool('charge');
