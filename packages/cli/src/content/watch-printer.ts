import type { LogLevel, UnknownObject } from '@tenon/mcp-client';
import { type CatalogList, describeDifference, type ListDifference } from '@tenon/mcp-workbench';
import type { Style } from '../terminal/paint.js';
import type { Terminal } from '../terminal/terminal.js';
import { oneLine } from '../terminal/texts.js';

/** An event that `tenon watch` prints. */
export type WatchEvent =
  | {
      readonly event: 'watching';
      readonly server: string;
      readonly revision: string;
      readonly watched: readonly string[];
    }
  | ({ readonly event: 'list'; readonly list: CatalogList } & ListDifference)
  | { readonly event: 'resource'; readonly uri: string }
  | {
      readonly event: 'log';
      readonly level: LogLevel;
      readonly logger?: string | undefined;
      readonly data: unknown;
    }
  | { readonly event: 'progress' | 'task'; readonly params: UnknownObject }
  | { readonly event: 'state'; readonly state: string; readonly reason?: string }
  | { readonly event: 'notification'; readonly method: string; readonly params: UnknownObject };

/** Bytes that may wait for a slow reader of stdout. Further events are left out, and counted. */
const mostWaiting = 1_048_576;

const styles: Readonly<Record<string, Style>> = {
  list: 'cyan',
  resource: 'cyan',
  log: 'blue',
  progress: 'green',
  task: 'magenta',
  state: 'yellow',
};

/** Prints events to stdout, one line each: as text, or as JSON. */
export class EventPrinter {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  #leftOut = 0;

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
  }

  /** Prints an event that has arrived at a time. */
  print(event: WatchEvent, time: Date): void {
    if (this.#terminal.source.output.writableLength > mostWaiting) {
      this.#leftOut++;
      return;
    }
    if (this.#leftOut > 0) {
      this.#terminal.note(`${this.#leftOut} events were left out: stdout is read too slowly.`);
      this.#leftOut = 0;
    }
    if (this.#json) this.#terminal.printJsonLine({ time: time.toISOString(), ...event });
    else this.#terminal.print(this.#line(event, time));
  }

  #line(event: WatchEvent, time: Date): string {
    const { paint } = this.#terminal;
    const clock = paint('dim', time.toTimeString().slice(0, 8));
    const subject = event.event === 'list' ? nameOf[event.list] : event.event;
    const style = styles[event.event];
    const label = subject.padEnd(12);
    return `${clock}  ${style === undefined ? label : paint(style, label)}  ${oneLine(eventText(event))}`;
  }
}

const nameOf: Readonly<Record<CatalogList, string>> = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'templates',
  prompts: 'prompts',
};

function eventText(event: WatchEvent): string {
  switch (event.event) {
    case 'watching':
      return `${event.watched.join(', ')} of ${event.server} (${event.revision})`;
    case 'list':
      return describeDifference(event) || 'changed, but no entry differs';
    case 'resource':
      return `${event.uri} changed`;
    case 'log': {
      const { level, logger, data } = event;
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      return `${level} ${logger === undefined ? '' : `${logger}: `}${text}`;
    }
    case 'progress':
      return progressText(event.params);
    case 'task':
      return [event.params.taskId, event.params.status, event.params.statusMessage]
        .filter((part) => typeof part === 'string')
        .join('  ');
    case 'state':
      return event.reason === undefined ? event.state : `${event.state}: ${event.reason}`;
    case 'notification':
      return `${event.method} ${JSON.stringify(event.params)}`;
  }
}

function progressText({ progressToken, progress, total, message }: UnknownObject): string {
  const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return `${share}${typeof message === 'string' ? `  ${message}` : ''}  (token ${progressToken})`;
}
