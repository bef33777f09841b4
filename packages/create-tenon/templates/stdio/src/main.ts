import { serveStdio } from '@tenon/mcp-server/stdio';
import { server } from './server.ts';

await serveStdio(server);
