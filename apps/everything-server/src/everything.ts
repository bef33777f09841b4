import { createServer, type Server, type ServerLimits } from '@tenon/mcp-server';
import { addPrompts } from './prompts.js';
import { addResources } from './resources.js';
import { addActivityTools } from './tools-activity.js';
import { addAskingTools } from './tools-asking.js';
import { addChangeTools } from './tools-changes.js';
import { addContentTools } from './tools-content.js';
import { addRoundsTools } from './tools-rounds.js';
import { addSchemaTools } from './tools-schemas.js';

/**
 * A server with one of everything: what the official conformance suite wants of a server, for all revisions at once.
 * Tools are listed in the order of registration; the first one takes no arguments.
 */
export function createEverythingServer(limits: Partial<ServerLimits> = {}): Server {
  const server = createServer(
    { name: 'everything-server', title: 'Everything', version: '1.0.0' },
    { instructions: 'One of everything, for testing clients.', limits },
  );
  addContentTools(server);
  addActivityTools(server);
  addAskingTools(server);
  addRoundsTools(server);
  addSchemaTools(server);
  addChangeTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}
