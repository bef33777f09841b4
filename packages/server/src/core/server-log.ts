import type { ServerEvent } from '@tenon/mcp-protocol';
import type { ServerEventListener } from './server-events.js';

/** The receiver of events as lines, such as an instance of pino: fields first, then a sentence. `console` has these functions too. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type Level = keyof Logger;

/** Returns the listener that writes events to a logger. */
export function logListener(log: Logger | ServerEventListener): ServerEventListener {
  if (typeof log === 'function') return log;
  return (event) => log[levelOf(event)](event, sentenceOf(event));
}

function levelOf(event: ServerEvent): Level {
  switch (event.type) {
    case 'failure':
    case 'state-down':
      return 'error';
    case 'refused':
    case 'call-lost':
    case 'dropped':
      return 'warn';
    case 'request':
      return event.reason !== undefined || ['timeout', 'limit'].includes(event.outcome) ? 'warn' : 'info';
    default:
      return 'info';
  }
}

function sentenceOf(event: ServerEvent): string {
  switch (event.type) {
    case 'request':
      return `${named(event.method, event.name)}: ${named(event.outcome, event.code)} in ${Math.round(event.milliseconds)} ms`;
    case 'refused':
      return `refused: ${event.reason}`;
    case 'failure':
      return `${event.where} failed`;
    case 'dropped':
      return `${event.count} events were not written`;
    case 'call-continued':
    case 'call-repeated':
    case 'call-lost':
      return named(event.type.replace('-', ' '), event.name ?? event.task);
    default:
      return `${event.type.replace('-', ' ')}${event.reason === undefined ? '' : `: ${event.reason}`}`;
  }
}

function named(what: string, more: string | number | undefined): string {
  return more === undefined ? what : `${what} ${more}`;
}
