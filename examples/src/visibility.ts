// Who sees what: one definition for all callers, of whom each finds only what is meant for them.
import { connect } from '@tenon/mcp-client';
import { createServer, type Principal } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { personOf } from './http-people.js';

// #region visible
const ofAda = (caller: Principal | undefined) => caller?.id === 'ada';

const server = createServer({ name: 'ledger', version: '1.0.0' })
  .tool('balance', { description: 'Says what is left' }, (_, ctx) => `${ctx.auth?.id ?? 'nobody'}: 17`)
  .tool('close_account', { description: 'Closes the account', visible: ofAda }, () => 'Closed')
  .resource('ledger://audit', { name: 'audit', visible: ofAda }, () => 'Nothing was changed');
// #endregion

const handler = toFetchHandler(server, {
  allowedHosts: ['ledger.example'],
  authenticate: ({ header }) => personOf(header('authorization')),
});

for (const name of ['ada', 'bob']) {
  const client = await connect<typeof server>('https://ledger.example/mcp', {
    info: { name: `agent of ${name}`, version: '1.0.0' },
    headers: { authorization: `Bearer token-of-${name}` },
    fetch: (url, init) => handler(new Request(url, init)), // in this process: nothing is dialled
  });
  const tools = await client.tools().all();
  console.log(name, 'sees', tools.map((tool) => tool.name).join(', '));
  const refused = (error: Error) => error.message;
  const outcome = await client.callTool('close_account').then(() => 'closed it', refused);
  console.log(name, outcome);
  await client.close();
}
await handler.drain();
