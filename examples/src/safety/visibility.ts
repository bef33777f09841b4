// A tool that only some callers see. Two clients connect with different tokens.
import { connect } from '@tenon/mcp-client';
import { createServer, type Principal } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';

// #region visible
const people = new Map<string, Principal>([
  ['Bearer token-of-ada', { id: 'ada' }],
  ['Bearer token-of-bob', { id: 'bob' }],
]);

const server = createServer({ name: 'ledger', version: '1.0.0' })
  .tool('balance', { description: 'Returns the balance' }, (_, ctx) => `${ctx.auth?.id}: 17`)
  .tool(
    'close_account',
    { description: 'Closes the account', visible: (caller) => caller?.id === 'ada' },
    () => 'Closed',
  );

const serving = await serveHttp(server, {
  authenticate: ({ header }) => people.get(header('authorization') ?? '') ?? { status: 401 },
});
// #endregion

for (const name of ['ada', 'bob']) {
  const client = await connect<typeof server>(serving.url, {
    info: { name: 'agent', version: '1.0.0' },
    headers: { authorization: `Bearer token-of-${name}` },
  });
  const tools = await client.tools().all();
  console.log(name, 'sees', tools.map((tool) => tool.name).join(', '));
  const outcome = await client.callTool('close_account').then(
    () => 'closed it',
    (error: Error) => error.message,
  );
  console.log(name, outcome);
  await client.close();
}
await serving.close();
