// A client of an untrusted server: its list does not end, and its output schema refers to another host.
import { connect, SessionError } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';

const server = createServer({ name: 'endless', version: '1.0.0' }, { limits: { pageSize: 1 } });
for (let number = 1; number <= 100; number++) {
  server.tool(`tool_${number}`, {}, () => ({ content: [], structuredContent: { number } }));
}
server.use(async (call, next) => {
  const result = await next();
  if (call.method !== 'tools/list') return result;
  const tools = (result.tools as object[]).map((tool) => ({
    ...tool,
    outputSchema: { type: 'object', $ref: 'https://elsewhere.example/schema.json' },
  }));
  return { ...result, tools };
});
const target = memoryTarget(server);

// #region careful
const client = await connect(target, {
  info: { name: 'careful', version: '1.0.0' },
  limits: { listBytes: 20_000, requestTotal: 30_000, rounds: 3 },
});
const report = (error: unknown) => {
  if (error instanceof SessionError) console.log(error.reason, '-', error.message);
};
await client.tools().all().catch(report); // limit
await client.callTool('tool_1').catch(report); // invalid-answer: the schema is not fetched
// #endregion
await client.close();
