// A tool and a resource that read files, but only inside the folders that the client exposes.
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
      const file = await guard.open(path); // throws a ToolError if the path leaves the folders
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
const roots = await folderRoots([folder]); // rejects if the folder does not exist
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
