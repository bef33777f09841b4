// Tools with interfaces, as a host reads them.
import { fileURLToPath } from 'node:url';
import { apps, readApp, toolsFor, toolUi } from '@tenon/mcp-apps/client';
import { connect, textOf } from '@tenon/mcp-client';

const args = [fileURLToPath(new URL('apps-server.js', import.meta.url)), '--stdio'];
const client = await connect(
  { command: process.execPath, args },
  { info: { name: 'chat', version: '1.0.0' }, extensions: [apps()] },
);

const tools = toolsFor('model', client);
for (const tool of await tools.list()) {
  const { uri } = toolUi(tool);
  if (uri === undefined) continue;
  const app = await readApp(client, uri);
  console.log(
    `${tool.name} has ${app.uri}, which reaches ${app.csp.connectDomains?.join() ?? 'no other origin'}`,
  );
}
console.log(textOf((await tools.call('forecast', { city: 'Oslo' })).content));
console.log(await tools.call('refresh', { city: 'Oslo' }).catch(String));

await tools.close();
await client.close();
