import { fileURLToPath } from 'node:url';
import { otherBounds } from '@tenon/foundation';
import { idempotency } from '@tenon/mcp-idempotency/server';
import { createServer, type Server, type ServerOptions } from '@tenon/mcp-server';
import { directory } from '@tenon/mcp-skills/directory';
import { skills } from '@tenon/mcp-skills/server';
import { tasks } from '@tenon/mcp-tasks/server';
import { addPrompts } from './prompts.js';
import { addResources } from './resources.js';
import { addActivityTools } from './tools/activity.js';
import { addAppTools, testApps } from './tools/apps.js';
import { addChangeTools } from './tools/changes.js';
import { addContentTools } from './tools/content.js';
import { addInputRequestTools } from './tools/input-requests.js';
import { addRoundsTools } from './tools/rounds.js';
import { addSchemaTools } from './tools/schemas.js';
import { addTaskTools } from './tools/tasks.js';

/** Options of the server. */
export interface EverythingOptions extends Pick<ServerOptions, 'limits' | 'state'> {
  /** True for a server without extensions. Default: false. */
  readonly coreOnly?: boolean;
}

/**
 * Returns a server with the features that the official conformance suite tests, for all revisions.
 * Tools are listed in the order of registration; the first one takes no arguments.
 */
export function createEverythingServer({ coreOnly = false, ...options }: EverythingOptions = {}): Server {
  return coreOnly ? coreServer(options) : extendedServer(options);
}

const info = { name: 'everything-server', title: 'Everything', version: '1.0.0' };
const instructions = 'One of everything, for testing clients.';

function coreServer(options: ServerOptions): Server {
  const server = createServer(info, { instructions, ...options });
  addCoreTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function extendedServer(options: ServerOptions): Server {
  const { pageSize } = options.limits ?? {};
  const folder = fileURLToPath(new URL('../skills', import.meta.url));
  const extensions = [
    skills({ from: directory(folder), ...(pageSize !== undefined && otherBounds({ pageSize })) }),
    tasks(),
    idempotency(),
    testApps,
  ] as const;
  const server = createServer(info, { instructions, extensions, ...options });
  addCoreTools(server);
  addTaskTools(server);
  addAppTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addCoreTools(server: Server): void {
  addContentTools(server);
  addActivityTools(server);
  addInputRequestTools(server);
  addRoundsTools(server);
  addSchemaTools(server);
  addChangeTools(server);
}
