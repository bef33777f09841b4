import { type LogLevel, type LogParams, logLevels, type SetLevelParams } from '@tenon/mcp-protocol';
import { Endpoint, type IncomingRequest } from '@tenon/mcp-session';
import type { Definition } from '../definition.js';

/** What a session hears before it chose a level. */
const defaultLevel: LogLevel = 'info';

const severity: ReadonlyMap<LogLevel, number> = new Map(logLevels.map((level, index) => [level, index]));

/** Lets sessions choose how much they want to hear. */
export function addLogging(definition: Definition): void {
  definition.capabilities.add({ logging: {} });
  definition.requests.set('logging/setLevel', {
    handle(request) {
      const endpoint = request.host.conversation;
      const { level } = request.params as unknown as SetLevelParams;
      if (endpoint instanceof Endpoint) endpoint.peer = { ...endpoint.peer, logLevel: level };
      return {};
    },
  });
}

/** Sends a log message that belongs to a request, if its sender wants one of that severity. */
export function sendLog(request: IncomingRequest, message: LogParams): void {
  const { rules } = request.revision;
  const wanted = wantedLevel(request) ?? (rules.logging === 'session' ? defaultLevel : undefined);
  if (wanted !== undefined && reaches(message.level, wanted))
    void request.notify('notifications/message', message);
}

/** Sends a log message that belongs to no request to every session that wants one of that severity. */
export function tellLog(endpoints: Iterable<Endpoint>, message: LogParams): void {
  for (const endpoint of endpoints) {
    if (reaches(message.level, endpoint.peer.logLevel ?? defaultLevel))
      void endpoint.notify('notifications/message', message);
  }
}

/** True when a message of one level is to be told to somebody who wants another. */
function reaches(level: LogLevel, wanted: LogLevel): boolean {
  return (severity.get(level) ?? 0) >= (severity.get(wanted) ?? 0);
}

/** A level chosen while the request runs counts for the rest of it. */
function wantedLevel(request: IncomingRequest): LogLevel | undefined {
  const endpoint = request.host.conversation;
  const inSession = request.revision.rules.logging === 'session' && endpoint instanceof Endpoint;
  return inSession ? endpoint.peer.logLevel : request.from.logLevel;
}
