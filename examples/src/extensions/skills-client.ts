// Lists the skills of a server, loads one, and reads a file of it.
import { fileURLToPath } from 'node:url';
import { connect } from '@tenon/mcp-client';
import { skills } from '@tenon/mcp-skills/client';

const args = [fileURLToPath(new URL('skills-server.js', import.meta.url))];
const client = await connect(
  { command: process.execPath, args },
  { info: { name: 'agent', version: '1.0.0' }, extensions: [skills()] },
);

for await (const { uri, frontmatter } of client.skills.list())
  console.log(`${uri}: ${frontmatter.description}`);

const skill = await client.skills.load('skill://refunds/SKILL.md');
console.log(skill.body.trim().split('\n')[0]);
const { text } = await skill.read('references/limits.md');
console.log(text?.trim());

skill.release();
await client.close();
