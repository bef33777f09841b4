// The fixture on the first generation of the official SDK, over stdio.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { makeServer } from './server-v1.js';

await makeServer().connect(new StdioServerTransport());
