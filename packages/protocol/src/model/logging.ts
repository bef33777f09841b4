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

/** Returns the problem of a log level; undefined for a valid one. */
export function logLevelProblem(level: unknown): string | undefined {
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

/** Sets the least severe level, in the handshake revisions. */
export interface SetLevelParams {
  readonly level: LogLevel;
  readonly _meta?: Meta;
}
