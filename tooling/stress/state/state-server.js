import { PostgresStateServer } from './postgres-state-server.js';
import { RedisStateServer } from './redis-state-server.js';

/**
 * The kinds of servers that processes can share their state in.
 *
 * @typedef {'redis' | 'postgres'} StateKind
 */

/**
 * A server with the state of all processes. It keeps its data when it ends and starts again.
 *
 * @typedef {object} StateServer
 * @property {StateKind} kind
 * @property {string} url
 * @property {() => Promise<void>} start after `stop`
 * @property {() => Promise<void>} stop ends the server and its connections
 * @property {() => Promise<void>} restart
 * @property {() => Promise<void>} freeze stops it from answering while its connections stay open, as a partition does
 * @property {() => Promise<void>} thaw
 * @property {() => Promise<void>} fill rejects writes of data from now on, as a server without memory or disk space does
 * @property {() => Promise<void>} acceptWrites ends `fill`
 * @property {(id: string) => Promise<number>} erase deletes the values and logs with this text in their keys; returns their number
 * @property {() => Promise<void>} close
 */

const servers = { redis: RedisStateServer, postgres: PostgresStateServer };

/** @type {readonly StateKind[]} */
export const stateKinds = Object.freeze(['redis', 'postgres']);

/**
 * @param {StateKind} kind
 * @returns {Promise<StateServer>}
 */
export async function startStateServer(kind) {
  const server = new servers[kind]();
  try {
    await server.create();
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}
