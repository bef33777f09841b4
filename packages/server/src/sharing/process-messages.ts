import { type LogParams, logLevels } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { Change } from '../core/audience.js';
import { maxUriLength } from '../uri-templates/uri-template.js';

const lists: ReadonlySet<unknown> = new Set<Change['method']>([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
]);

/**
 * Reads a change that another process has announced.
 * @throws TypeError if it is malformed: other programs may write to the bus.
 */
export function readChange(body: unknown): Change {
  if (isObject(body)) {
    const { method, uri } = body;
    if (lists.has(method) && uri === undefined) return { method: method as Change['method'] };
    if (method === 'notifications/resources/updated' && isShortText(uri, maxUriLength))
      return { method, uri };
  }
  throw malformed('change');
}

/**
 * Reads a log message of another process.
 * @throws TypeError if it is malformed.
 */
export function readLog(body: unknown): LogParams {
  if (isObject(body)) {
    const { level, logger, data = null } = body as Partial<LogParams>;
    if (level !== undefined && logLevels.includes(level)) {
      if (logger === undefined) return { level, data };
      if (typeof logger === 'string') return { level, logger, data };
    }
  }
  throw malformed('log message');
}

/** Characters of the id of an elicitation that is sent to other processes. */
export const maxElicitationId = 1_024;

/**
 * Reads the id of an elicitation that is complete.
 * @throws TypeError if it is malformed.
 */
export function readElicitationId(body: unknown): string {
  if (isObject(body) && isShortText(body.elicitationId, maxElicitationId)) return body.elicitationId;
  throw malformed('completed elicitation');
}

function isShortText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

function malformed(what: string): TypeError {
  return new TypeError(`Another process sent a malformed ${what}; it is dropped.`);
}
