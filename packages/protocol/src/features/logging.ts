import type { Meta } from './annotations.js';

/** A severity of RFC 5424. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** All severities, least severe first. */
export const logLevels: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** What is wrong with a log level; undefined for one there is. */
export function logLevelFlaw(level: unknown): string | undefined {
  if (logLevels.includes(level as LogLevel)) return undefined;
  const given = typeof level === 'string' ? JSON.stringify(level.slice(0, 40)) : `of type ${typeof level}`;
  return `There is no log level ${given}: there are ${logLevels.join(', ')}.`;
}

/** @deprecated by 2026-07-28: log to stderr or through OpenTelemetry. */
export interface LogParams {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly data: unknown;
  readonly _meta?: Meta;
}

/** Sent in the handshake revisions to choose the least severe level wanted. */
export interface SetLevelParams {
  readonly level: LogLevel;
  readonly _meta?: Meta;
}
