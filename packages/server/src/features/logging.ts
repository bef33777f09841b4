import { type LogLevel, type LogParams, logLevels, type SetLevelParams } from '@tenon/mcp-protocol';
import { detach, logLevelFlaw } from '@tenon/mcp-protocol/internal';
import { Endpoint, Rate } from '@tenon/mcp-session';
import type { CallPort } from '../context-ports.js';
import type { Definition } from '../definition.js';
import type { ServerFeature } from '../feature.js';
import { writable } from '../log-data.js';

/** What a session hears before it chose a level. */
const defaultLevel: LogLevel = 'info';

const severity: ReadonlyMap<LogLevel, number> = new Map(logLevels.map((level, index) => [level, index]));

/** Sessions choose the least severe log level they want. */
export const logging: ServerFeature = {
  name: 'logging',
  capabilities: { logging: {} },
  methods: {
    'logging/setLevel': {
      handle(request) {
        const endpoint = request.host.conversation;
        const { level } = request.params as unknown as SetLevelParams;
        if (endpoint instanceof Endpoint) endpoint.peer = { ...endpoint.peer, logLevel: level };
        return {};
      },
    },
  },
};

/** Sends a log message that belongs to a request, if its sender wants one of that severity and the limit allows it. */
export function sendLog(definition: Definition, request: CallPort, message: LogParams): void {
  if (!isLevel(definition, message.level)) return;
  const { rules } = request.revision;
  const wanted = wantedLevel(request) ?? (rules.logging === 'session' ? defaultLevel : undefined);
  if (wanted === undefined || !reaches(message.level, wanted)) return;
  const { conversation } = request.host;
  const isOfSession = rules.logging === 'session' && conversation !== undefined;
  const before = admit(definition, isOfSession ? conversation : request);
  if (before === undefined) return;
  if (before > 0) detach(request.notify('notifications/message', notice(definition, before, wanted)), ignore);
  detach(request.notify('notifications/message', shown(definition, message)), ignore);
}

/** Sends a log message that belongs to no request to every session that wants one of that severity. */
export function tellLog(definition: Definition, endpoints: Iterable<Endpoint>, message: LogParams): void {
  if (!isLevel(definition, message.level)) return;
  let clean: LogParams | undefined;
  for (const endpoint of endpoints) {
    const wanted = endpoint.peer.logLevel ?? defaultLevel;
    if (!reaches(message.level, wanted)) continue;
    const before = admit(definition, endpoint);
    if (before === undefined) continue;
    clean ??= shown(definition, message);
    if (before > 0)
      detach(endpoint.notify('notifications/message', notice(definition, before, wanted)), ignore);
    detach(endpoint.notify('notifications/message', clean), ignore);
  }
}

// That a transport failed is known where the connection ends.
const ignore = (): void => {};

/** How fast log messages go to one session, or for one request outside any. */
interface LogFlow {
  readonly rate: Rate;
  dropped: number;
}

const flows = new WeakMap<object, LogFlow>();

/** Tells of a level that does not exist, but throws nothing: what is logged must not decide how a call ends. */
function isLevel({ onError }: Definition, level: unknown): boolean {
  if (severity.has(level as LogLevel)) return true;
  onError(new TypeError(logLevelFlaw(level)), 'log');
  return false;
}

/** How many messages were dropped before the one that may go out now; undefined when it must be dropped as well. */
function admit({ clock, limits }: Definition, receiver: object): number | undefined {
  let flow = flows.get(receiver);
  if (flow === undefined) {
    flow = { rate: new Rate(clock, limits.logsPerSecond), dropped: 0 };
    flows.set(receiver, flow);
  }
  if (!flow.rate.take()) {
    flow.dropped++;
    return undefined;
  }
  const { dropped } = flow;
  flow.dropped = 0;
  return dropped;
}

/** Tells that messages were dropped, as a warning, or more severe to those who want no warnings. */
function notice({ limits }: Definition, dropped: number, wanted: LogLevel): LogParams {
  const data = `Log messages dropped: ${dropped}. At most ${limits.logsPerSecond} are sent in a second.`;
  return { level: reaches('warning', wanted) ? 'warning' : wanted, data };
}

function shown({ redact }: Definition, message: LogParams): LogParams {
  return { ...message, data: writable(redact(message.data)) };
}

/** True when a message of one level is to be told to somebody who wants another. */
function reaches(level: LogLevel, wanted: LogLevel): boolean {
  return (severity.get(level) ?? 0) >= (severity.get(wanted) ?? 0);
}

/** A level chosen while the request runs counts for the rest of it. */
function wantedLevel(request: CallPort): LogLevel | undefined {
  const endpoint = request.host.conversation;
  const inSession = request.revision.rules.logging === 'session' && endpoint instanceof Endpoint;
  return inSession ? endpoint.peer.logLevel : request.from.logLevel;
}
