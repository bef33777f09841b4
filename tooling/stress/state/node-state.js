import { otherBounds } from '@tenon/foundation';
import { postgresState } from '@tenon/mcp-state-postgres';
import { redisState } from '@tenon/mcp-state-redis';

/**
 * The state of one process: the kind and URL of its server, and further options of the adapter.
 *
 * @typedef {{ kind: import('./state-server.js').StateKind, url: string, options?: object }} NodeStateSettings
 */

/** Connections of one process. PostgreSQL in this rig accepts 60, and at most seven processes run at the same time. */
const poolSize = 6;

/**
 * Returns the state of one process. It has the default prefix or schema unless the options name one.
 *
 * @param {NodeStateSettings} settings
 * @returns {import('@tenon/mcp-state').State}
 */
export function nodeState({ kind, url, options }) {
  if (kind === 'postgres') return postgresState({ connection: url, poolSize, ...options });
  return redisState({ url, ...otherBounds({ reconnectDelay: 500 }), ...options });
}
