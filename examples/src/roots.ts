// A client exposes a folder; the server stays inside it, in tools and in file: resources.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { folderRoots } from '@tenon/mcp-client/roots';
import { createServer } from '@tenon/mcp-server';
import { fileReader, insideRoots } from '@tenon/mcp-server/roots';
import { z } from 'zod';

const folder = await mkdtemp(join(tmpdir(), 'project-'));
await writeFile(join(folder, 'notes.md'), 'Buy milk');

// #region server
const server = createServer({ name: 'files', version: '1.0.0' })
  .tool(
    'count',
    { description: 'Counts the characters of a file', input: z.object({ path: z.string() }) },
    async ({ path }, ctx) => {
      const guard = insideRoots(await ctx.roots('roots'));
      const file = await guard.open(path); // throws what tells the model why it is refused
      try {
        return `${(await file.readFile('utf8')).length} characters`;
      } finally {
        await file.close();
      }
    },
  )
  .resource('file:///{+path}', { name: 'file' }, fileReader(insideRoots([folder])));
// #endregion

// #region client
const roots = await folderRoots([folder]); // throws where there is no such folder
const client = await connectMemory(server, { info: { name: 'editor', version: '1.0.0' }, roots });
// #endregion

const counted = await client.callTool('count', { path: 'notes.md' });
console.log(textOf(counted.content));
const { isError, content } = await client.callTool('count', { path: '/etc/hosts' });
console.log(isError, textOf(content));
const { contents } = await client.readResource(pathToFileURL(join(folder, 'notes.md')).href);
console.log(textOf(contents));
await client.readResource('file:///etc/hosts').catch((error: Error) => console.log(error.message));
await client.close();
await rm(folder, { recursive: true });
