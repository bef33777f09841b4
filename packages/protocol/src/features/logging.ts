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
