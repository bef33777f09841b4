import { type Redactor, redactorOf } from '@tenon/foundation/redaction';
import { type LogLevel, type LogParams, TransportError, type UnknownObject } from '@tenon/mcp-protocol';
import { logLevelProblem } from '@tenon/mcp-protocol/internal';
import type { NotificationHandler } from '@tenon/mcp-session';
import { printable } from '@tenon/mcp-session/internal';
import type { Caller } from '../calls/caller.js';
import { requireCapability, type Session } from '../session/session.js';
import type { Feature } from './feature.js';

/**
 * Logging as a feature of a client: sends the level to each session, and messages to the listener.
 * @param level - the current least severe level.
 */
export function loggingFeature(
  listener: NotificationHandler | undefined,
  level: () => LogLevel | undefined,
): Feature {
  return {
    name: 'logLevel',
    ...(listener && { notifications: { 'notifications/message': listener } }),
    start: (session) => sendLogLevel(session, level()),
  };
}

/** The options of `connect` for log messages. */
export interface LogOptions {
  readonly onLog?: (message: LogParams) => void;
  readonly redact?: false | Redactor;
}

/**
 * Passes log messages of the server to the application, redacted.
 * @throws TypeError if `redact` is neither false nor a function.
 */
export function logListener({ onLog, redact }: LogOptions): NotificationHandler | undefined {
  const shown = redactorOf(redact, printable);
  return (
    onLog &&
    ((params: UnknownObject) => onLog({ ...(params as unknown as LogParams), data: shown(params.data) }))
  );
}

/**
 * Sets the least severe log level. It is sent at once in revisions with one level per session, else with each request
 * that follows.
 * https://modelcontextprotocol.io/specification/latest/server/utilities/logging
 * @throws TypeError for an unknown level.
 */
export async function setLogLevel(caller: Caller, level: LogLevel): Promise<void> {
  const problem = logLevelProblem(level);
  if (problem !== undefined) throw new TypeError(problem);
  const session = caller.supervisor.session ?? (await caller.supervisor.waitForSession());
  requireCapability(session, 'logging/setLevel');
  caller.logLevel = level;
  await caller.withSession(async (one) => {
    try {
      await sendLogLevel(one, level);
    } catch (error) {
      if (one.endpoint.state === 'open') throw error;
      // The next session begins with the level.
      await caller.supervisor.waitForSession();
    }
  });
}

/** Sends the level to a session, if the revision has one level per session and the server logs. */
async function sendLogLevel(session: Session, level: LogLevel | undefined): Promise<void> {
  if (level === undefined || session.revision.rules.logging !== 'session' || !session.capabilities.logging)
    return;
  try {
    await session.endpoint.request('logging/setLevel', { level });
  } catch (error) {
    // The request can be repeated: one broken exchange must not silence a whole session.
    if (!(error instanceof TransportError) || session.endpoint.state !== 'open') throw error;
    await session.endpoint.request('logging/setLevel', { level });
  }
}
