import { type Clock, detach } from '@tenon/foundation';
import { type Redactor, redact, redactText } from '@tenon/foundation/redaction';
import { type LogLevel, type LogParams, logLevels, type SetLevelParams } from '@tenon/mcp-protocol';
import { logLevelProblem } from '@tenon/mcp-protocol/internal';
import { Endpoint, Rate } from '@tenon/mcp-session';
import type { CallPort } from '../core/call-port.js';
import type { ServerFeature } from '../core/feature.js';
import type { ServerBounds } from '../core/limits.js';
import { changeSettings } from './session-settings.js';

/** The settings of a server that its log messages depend on. */
export interface LogSettings {
  readonly clock: Clock;
  readonly limits: ServerBounds;
  /** Receives unknown levels. */
  readonly onError: (error: unknown, where: string) => void;
  /** Redacts a log message before it is sent. */
  readonly redact: Redactor;
}

/** The log level of a session before it sets one. */
const defaultLevel: LogLevel = 'info';

const severity: ReadonlyMap<LogLevel, number> = new Map(logLevels.map((level, index) => [level, index]));

/** Implements `logging/setLevel` and log messages. */
export const logging: ServerFeature = {
  name: 'logging',
  capabilities: { logging: {} },
  methods: {
    'logging/setLevel': {
      handle(request) {
        const endpoint = request.host.conversation;
        const { level } = request.params as unknown as SetLevelParams;
        if (!(endpoint instanceof Endpoint)) return {};
        return changeSettings(endpoint, {
          change: (settings) => ({ ...settings, logLevel: level }),
          apply: () => setLevel(endpoint, level),
        });
      },
    },
  },
};

/** Sets the log level that a client has set in another process; reports an unknown level. */
export function adoptLevel(onError: LogSettings['onError'], endpoint: Endpoint, level: LogLevel): void {
  if (endpoint.peer.logLevel !== level && isLevel(onError, level)) setLevel(endpoint, level);
}

function setLevel(endpoint: Endpoint, level: LogLevel): void {
  endpoint.peer = { ...endpoint.peer, logLevel: level };
}

/** Sends a log message of a request, if the sender's log level includes its severity and the limit allows it. */
export function sendLog(settings: LogSettings, request: CallPort, message: LogParams): void {
  if (!isLevel(settings.onError, message.level)) return;
  const { rules } = request.revision;
  const wanted = wantedLevel(request) ?? (rules.logging === 'session' ? defaultLevel : undefined);
  if (wanted === undefined || !reaches(message.level, wanted)) return;
  const { conversation } = request.host;
  const isOfSession = rules.logging === 'session' && conversation !== undefined;
  const before = admit(settings, isOfSession ? conversation : request);
  if (before === undefined) return;
  if (before > 0) detach(request.notify('notifications/message', notice(settings, before, wanted)), ignore);
  detach(request.notify('notifications/message', shown(settings, message)), ignore);
}

/** The sessions that a log message outside of requests reaches. */
export interface LogReceivers {
  /** The sessions of this process. */
  readonly endpoints: Iterable<Endpoint>;
  /** Sends the redacted message to those of other processes. */
  readonly share?: ((message: LogParams) => void) | undefined;
}

/** Sends a log message outside of requests to every session with a log level that includes its severity. */
export function tellLog(settings: LogSettings, message: LogParams, { endpoints, share }: LogReceivers): void {
  if (!isLevel(settings.onError, message.level)) return;
  let clean: LogParams | undefined;
  const redacted = () => {
    clean ??= shown(settings, message);
    return clean;
  };
  share?.(redacted());
  deliverLog(settings, endpoints, { level: message.level, redacted });
}

/** Sends a log message to every session that this process serves with a log level that includes its severity. */
export function deliverLog(
  settings: LogSettings,
  endpoints: Iterable<Endpoint>,
  { level, redacted }: { readonly level: LogLevel; redacted(): LogParams },
): void {
  for (const endpoint of endpoints) {
    if (endpoint.connection.shared?.isServedElsewhere === true) continue;
    const wanted = endpoint.peer.logLevel ?? defaultLevel;
    if (!reaches(level, wanted)) continue;
    const before = admit(settings, endpoint);
    if (before === undefined) continue;
    const message = redacted();
    if (before > 0)
      detach(endpoint.notify('notifications/message', notice(settings, before, wanted)), ignore);
    detach(endpoint.notify('notifications/message', message), ignore);
  }
}

// The failure of a transport is reported when the connection ends.
const ignore = (): void => {};

/** The rate limit of log messages for one session, or for one stateless request. */
interface LogFlow {
  readonly rate: Rate;
  dropped: number;
}

const flows = new WeakMap<object, LogFlow>();

/** Reports an unknown level, but does not throw: logging must not make a call fail. */
function isLevel(onError: LogSettings['onError'], level: unknown): boolean {
  if (severity.has(level as LogLevel)) return true;
  onError(new TypeError(logLevelProblem(level)), 'log');
  return false;
}

/** Returns the number of messages that were dropped before this one; undefined if this one must be dropped too. */
function admit({ clock, limits }: LogSettings, receiver: object): number | undefined {
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

/** Reports dropped messages as a warning, or at the log level of clients without warnings. */
function notice({ limits }: LogSettings, dropped: number, wanted: LogLevel): LogParams {
  const data = `Log messages dropped: ${dropped}. At most ${limits.logsPerSecond} are sent in a second.`;
  return { level: reaches('warning', wanted) ? 'warning' : wanted, data };
}

function shown({ redact }: LogSettings, message: LogParams): LogParams {
  return { ...message, data: writable(redact(message.data)) };
}

/** True if a log level includes a severity. */
function reaches(level: LogLevel, wanted: LogLevel): boolean {
  return (severity.get(level) ?? 0) >= (severity.get(wanted) ?? 0);
}

/** A level that is set while the request runs applies to the rest of the request. */
function wantedLevel(request: CallPort): LogLevel | undefined {
  const endpoint = request.host.conversation;
  const inSession = request.revision.rules.logging === 'session' && endpoint instanceof Endpoint;
  return inSession ? endpoint.peer.logLevel : request.from.logLevel;
}

/**
 * Returns log data that is safe for a client: without credentials, and without stack traces, which show how the server is built.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#security
 */
export const tellable: Redactor = (value) =>
  redact(value, { text: (text) => withoutFrames(redactText(text)) });

const place = /:\d{1,9}:\d{1,9}\)?\s{0,2}$/;

/** Returns a text without the lines of a stack trace. */
function withoutFrames(text: string): string {
  if (!text.includes('at ')) return text;
  const lines = text.split('\n');
  const kept = lines.filter((line) => !isFrame(line));
  return kept.length === lines.length ? text : kept.join('\n');
}

function isFrame(line: string): boolean {
  const said = line.trimStart();
  if (!said.startsWith('at ') || said.length === line.length) return false;
  return place.test(said) || said.endsWith('(native)') || said.endsWith('(<anonymous>)');
}

/** Returns the data in a form for JSON: null for no data, and large integers as text. */
export function writable(data: unknown): unknown {
  try {
    return JSON.stringify(data) === undefined ? null : data;
  } catch {
    return withoutIntegers(data);
  }
}

function withoutIntegers(data: unknown): unknown {
  try {
    const text = JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    return JSON.parse(text) as unknown;
  } catch {
    return '[unreadable]';
  }
}
