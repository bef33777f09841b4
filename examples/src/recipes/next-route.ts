// A route handler of the Next.js App Router: save it as `app/mcp/route.ts`.
import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { z } from 'zod';

const server = createServer({ name: 'greeter', version: '1.0.0' }).tool(
  'greet',
  { description: 'Says hello', input: z.object({ name: z.string() }) },
  ({ name }) => `Hello, ${name}!`,
);
const mcp = toFetchHandler(server, { allowedHosts: ['localhost', 'app.example.com'], sessions: false });

const answer = (request: Request): Promise<Response> => mcp(request);

export { answer as DELETE, answer as GET, answer as POST };
