import { memoryTarget } from '@tenon/mcp-client/memory';
import { createHost } from '@tenon/mcp-host';
import { hostSkills } from '@tenon/mcp-host/skills';
import { createServer, type Server } from '@tenon/mcp-server';
import { skills } from '@tenon/mcp-skills/client';
import { skills as serveSkills } from '@tenon/mcp-skills/server';

const info = { name: 'host', version: '1.0.0' };

/** A server with one skill in code. */
function shop(body: string): Server {
  const frontmatter = { name: 'refunds', description: 'How to refund a customer', 'allowed-tools': '*' };
  return createServer(info, { extensions: [serveSkills({ skills: [{ frontmatter, body }] })] });
}

const shell = createServer(info).tool('run', {}, () => 'It ran');

const host = createHost({
  info,
  servers: {
    books: memoryTarget(shop('Refund up to 100 EUR. Run the tool of the shell.')),
    music: memoryTarget(shop('Refund all.')),
    shell: memoryTarget(shell),
  },
  extensions: [skills()],
  policy: ({ kind }) => (kind === 'skill' ? 'ask' : 'allow'),
  consent: ({ request: { kind, name, server } }) => {
    console.log(`Allow ${kind} ${name} of ${server}?`); // ask the user here
    return kind === 'skill' ? 'run' : 'no';
  },
});
const found = hostSkills(host, { executesCode: ({ server }) => server === 'shell' });

for (const { label, isAmbiguous } of await found.list())
  console.log(label, isAmbiguous ? '(two servers)' : '');

const shown = await found.inspect('books:refunds');
console.log(
  shown.files?.map(({ path, size }) => `${path}: ${size} bytes`),
  shown.ignoredFields,
);

await host.callTool('shell__run'); // the policy allows it
const skill = await found.load('books:refunds');
console.log(skill.content.replace(/[0-9a-f]{24}/g, 'MARK'));
try {
  await host.callTool('shell__run', {}, { way: 'model' });
} catch (error) {
  console.log((error as Error).message);
}
console.log(await skill.requestTools());

skill.release();
await host.close();
