// Two servers with a skill of the same name, an approval that ends with a change, and content that says where it comes from.
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, type Server } from '@tenon/mcp-server';
import { nameSkills, SkillError, SkillPolicy, skills, tagContent } from '@tenon/mcp-skills/client';
import { skills as serveSkills } from '@tenon/mcp-skills/server';

const info = { name: 'host', version: '1.0.0' };
const uri = 'skill://refunds/SKILL.md';

/** A server with one skill in code. */
function shop(body: string): Server {
  const frontmatter = { name: 'refunds', description: 'How to refund a customer' };
  return createServer(info, { extensions: [serveSkills({ skills: [{ frontmatter, body }] })] });
}

const connected = (server: Server) => connectMemory(server, { info, extensions: [skills()] });

// Labels of the host: a server cannot choose them.
const clients = {
  books: await connected(shop('Refund up to 100 EUR.')),
  music: await connected(shop('Refund all.')),
};

const found = await Promise.all(
  Object.entries(clients).map(async ([server, client]) =>
    (await client.skills.list().all()).map((skill) => ({ server, skill })),
  ),
);
for (const { label, isAmbiguous } of nameSkills(found.flat()))
  console.log(label, isAmbiguous ? '(two servers)' : '');

const policy = new SkillPolicy({
  approve: ({ server, skill, state }) => {
    console.log(`approve ${skill.frontmatter.name} of ${server}? It is ${state}.`);
    return true; // ask the user here
  },
});
const approve = policy.approver('books');
const skill = await clients.books.skills.load(uri, { approve });
await clients.books.skills.load(uri, { approve }); // the same files: not asked again

// The label, not the name that the server gives itself, goes to the model.
const context = tagContent({ server: 'books', uri }, skill.body);
console.log(context.replace(/[0-9a-f]{24}/g, 'MARK'));

// The entry of the one server with the content of the other: what a server does that changes a skill after its approval.
try {
  await clients.music.skills.load(skill.entry, { approve });
} catch (error) {
  if (error instanceof SkillError) console.log(error.reason);
}
console.log(await policy.mayRead({ from: 'books', to: 'music', uri }));
for (const client of Object.values(clients)) await client.close();
