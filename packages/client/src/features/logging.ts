import { type LogLevel, TransportError } from '@tenon/mcp-protocol';
import { logLevelFlaw } from '@tenon/mcp-protocol/internal';
import type { NotificationHandler } from '@tenon/mcp-session';
import type { Caller } from '../caller.js';
import { requireCapability, type Session } from '../session.js';
import type { Feature } from './feature.js';

/**
 * Logging as a feature of a client: each session is told the level, and messages go to the listener.
 * @param level - the least severe level wanted at present.
 */
export function loggingFeature(
  listener: NotificationHandler | undefined,
  level: () => LogLevel | undefined,
): Feature {
  return {
    name: 'logLevel',
    ...(listener && { notifications: { 'notifications/message': listener } }),
    start: (session) => tellLogLevel(session, level()),
  };
}

/**
 * Chooses the least severe log level wanted: told to the server at once where it keeps one per session, else sent
 * with each request that follows.
 * https://modelcontextprotocol.io/specification/latest/server/utilities/logging
 * @throws TypeError for a level that does not exist.
 */
export async function setLogLevel(caller: Caller, level: LogLevel): Promise<void> {
  const flaw = logLevelFlaw(level);
  if (flaw !== undefined) throw new TypeError(flaw);
  const session = caller.lifeline.session ?? (await caller.lifeline.ready());
  requireCapability(session, 'logging/setLevel');
  caller.logLevel = level;
  await tellLogLevel(session, level);
}

/** Sends the level to a session, where sessions keep one and the server logs. */
async function tellLogLevel(session: Session, level: LogLevel | undefined): Promise<void> {
  if (level === undefined || session.revision.rules.logging !== 'session' || !session.capabilities.logging)
    return;
  try {
    await session.endpoint.request('logging/setLevel', { level });
  } catch (error) {
    // Told twice is told: one exchange that breaks must not silence a whole session.
    if (!(error instanceof TransportError) || session.endpoint.state !== 'open') throw error;
    await session.endpoint.request('logging/setLevel', { level });
  }
}
