import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { server } from '../../server.ts';

const allowedHosts = ['localhost', ...(process.env.ALLOWED_HOSTS?.split(',') ?? [])];
// Each request may run in another process, so there are no sessions.
const mcp = toFetchHandler(server, { allowedHosts, sessions: false });

const answer = (request: Request): Promise<Response> => mcp(request);

export { answer as DELETE, answer as GET, answer as POST };
