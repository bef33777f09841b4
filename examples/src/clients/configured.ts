// Connects to a server that a configuration file lists.
import { fileURLToPath } from 'node:url';
import { connect, textOf } from '@tenon/mcp-client';
import { clientEnvironment, findServer, problemText, readServersOf, targetOf } from '@tenon/mcp-config';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const environment = clientEnvironment({ cwd: folder });

// `readServers(environment)` reads the files of all known clients instead.
const configured = await readServersOf('hosts/servers.json', environment);
for (const problem of configured.problems) console.error(problemText(problem));

const server = findServer('echo', configured);
const target = await targetOf(server, { environment, values: {} });
const client = await connect(target, { info: { name: 'my-agent', version: '1.0.0' } });
console.log(textOf((await client.callTool('echo', { text: 'from a file' })).content));
await client.close();
