// A server moved from FastMCP. The comments name what stood there.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

const notes = new Map([['milk', 'Buy milk']]);

const server = createServer({ name: 'notes', version: '1.0.0' }) // new FastMCP({ name, version })
  .tool(
    'append', // addTool({ name: 'append', ... })
    {
      description: 'Appends a line to a note',
      input: z.object({ name: z.string(), line: z.string() }), // parameters
    },
    // execute: async (args, { log, reportProgress, session })
    ({ name, line }, ctx) => {
      const note = notes.get(name);
      if (note === undefined) throw new ToolError(`There is no note called ${name}.`); // UserError
      ctx.log('info', `appending to ${name}`); // log.info
      ctx.progress(1, 1); // reportProgress({ progress: 1, total: 1 })
      notes.set(name, `${note}\n${line}`);
      return 'Appended'; // a string, as there
    },
  )
  .resource(
    'note://{name}', // addResourceTemplate({ uriTemplate, arguments, load })
    {
      name: 'note',
      complete: { name: (typed) => [...notes.keys()].filter((name) => name.startsWith(typed)) },
    },
    ({ variables }) => notes.get(variables.name), // load returned { text }
  )
  .prompt(
    'summarize', // addPrompt({ name, arguments, load })
    { args: z.object({ name: z.string() }) },
    ({ name }) => `Summarize this note: ${notes.get(name)}`,
  );

// In a program of its own: `await serveStdio(server)` or `await serveHttp(server)` in place of server.start({ transportType })
const client = await connectMemory(server, { info: { name: 'try', version: '1.0.0' } });
await client.callTool('append', { name: 'milk', line: 'Buy bread' });
console.log(textOf((await client.readResource('note://milk')).contents));
await client.close();
