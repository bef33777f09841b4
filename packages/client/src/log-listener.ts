import type { LogParams, UnknownObject } from '@tenon/mcp-protocol';
import type { NotificationHandler } from '@tenon/mcp-session';
import { printable } from '@tenon/mcp-session/internal';
import { redactorOf } from '@tenon/redaction';
import type { ClientOptions } from './options.js';

/**
 * Hands log messages of the server to the application, as clean as it wants them.
 * @throws TypeError for a `redact` that is neither false nor a function.
 */
export function logListener({ onLog, redact }: ClientOptions): NotificationHandler | undefined {
  const shown = redactorOf(redact, printable);
  return (
    onLog &&
    ((params: UnknownObject) => onLog({ ...(params as unknown as LogParams), data: shown(params.data) }))
  );
}
