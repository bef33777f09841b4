import { once } from 'node:events';
import { basename, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  type DevEvent,
  type DevTarget,
  type ErrorReport,
  explainError,
  startDev,
} from '@tenon/mcp-workbench/dev';
import { CallMerger, type MergedCalls, wordsOf } from '../../calls/merged-calls.js';
import type { CommandLine } from '../../context.js';
import { typeScriptLoader } from '../../server/file-target.js';
import type { Terminal } from '../../terminal/terminal.js';

/** The options of `tenon dev`. */
interface DevCommandOptions {
  readonly stdio?: true;
  readonly port?: number;
  readonly watch?: readonly string[];
  readonly envFile?: string;
  readonly json?: true;
  readonly quiet?: true;
}

type DevLine = CommandLine<DevCommandOptions>;

/** Runs a server in development until Ctrl+C, or until the client over stdio leaves. */
export async function runDev(line: DevLine): Promise<void> {
  const { terminal, signal, options } = line;
  const { input, output, env, cwd } = terminal.source;
  const { port, watch = [], envFile } = options;
  const target = targetOf(line);
  const printer = eventPrinter(terminal, { ...options, target });
  if (options.quiet !== true) terminal.status('Starting the server ...');
  const server = await startDev({
    ...{ target, cwd, env, watch, loader: typeScriptLoader() },
    transport: options.stdio === true ? 'stdio' : 'http',
    streams: { input, output },
    ...(port !== undefined && { port }),
    ...(envFile !== undefined && { envFile }),
    onEvent: (event) => printer.print(event),
  });
  if (!signal.aborted) await Promise.race([server.closed, once(signal, 'abort')]);
  await server.close();
  terminal.clearStatus();
  printer.end();
  // Closing is the normal end of this command, but scripts see that it was interrupted.
  signal.throwIfAborted();
}

function targetOf({ words: [file], serverCommand }: DevLine): DevTarget {
  const [command, ...args] = serverCommand;
  if (file !== undefined) return { kind: 'file', file, args: serverCommand };
  if (command !== undefined) return { kind: 'command', command, args };
  throw new WorkbenchError('usage', 'No server is named.', {
    hint: 'Write its file: tenon dev server.ts. Or a command: tenon dev --stdio -- python server.py',
  });
}

interface Printing {
  readonly json?: true;
  readonly quiet?: true;
  readonly stdio?: true;
  readonly target: DevTarget;
}

/** The events that `--quiet` leaves. */
const loud: ReadonlySet<string> = new Set(['failed', 'crashed', 'error', 'note']);

/** Prints the events of a server in development. */
export interface EventPrinter {
  print(event: DevEvent): void;
  /** Prints what waits for further events. */
  end(): void;
}

/**
 * Returns the printer of events: for people to stderr, as JSON to stdout. Over stdio stdout belongs to the client, so JSON goes to stderr.
 */
export function eventPrinter(terminal: Terminal, printing: Printing): EventPrinter {
  if (printing.json === true) {
    const print = (value: object) =>
      printing.stdio === true ? terminal.noteJson(value) : terminal.printJsonLine(value);
    return { print: (event) => print({ time: new Date().toISOString(), ...event }), end: () => {} };
  }
  const lines = new EventLines(terminal, printing);
  const merger = new CallMerger((calls) => terminal.note(lines.merged(calls)));
  return {
    print(event) {
      if (printing.quiet === true && !loud.has(event.type)) return;
      if (merger.takes(event, performance.now())) return;
      for (const line of lines.of(event)) terminal.note(line);
    },
    end: () => merger.flush(),
  };
}

const timeWidth = 9;

/** The lines of events, for people. */
class EventLines {
  readonly #terminal: Terminal;
  readonly #printing: Printing;

  constructor(terminal: Terminal, printing: Printing) {
    this.#terminal = terminal;
    this.#printing = printing;
  }

  of(event: DevEvent): readonly string[] {
    const paint = this.#terminal.paintError;
    switch (event.type) {
      case 'listening':
        return this.#banner(event.url);
      case 'started':
        return [this.#line(paint('green', 'started'), `in ${duration(event.ms)}`)];
      case 'reloaded':
        return [this.#line(paint('green', 'reloaded'), this.#reloaded(event))];
      case 'failed':
        return [
          this.#line(paint('red', 'failed'), 'The server does not start. Save a fixed file to try again.'),
          ...this.#error(event.error),
          ...(event.hint === undefined ? [] : [`${indent}${paint('cyan', 'hint:')} ${event.hint}`]),
        ];
      case 'crashed':
        return [this.#line(paint('red', 'crashed'), crash(event))];
      case 'call':
        return [this.#line(event.client, this.#call(event))];
      case 'input':
        return [this.#line(event.client, paint('cyan', `<- ${event.method} ${event.message ?? ''}`))];
      case 'log': {
        const text = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
        const from = event.logger === undefined ? '' : `${event.logger}: `;
        return [this.#line(paint('dim', event.level), `${from}${(text ?? '').slice(0, 2_000)}`)];
      }
      case 'error':
        return [this.#line(paint('red', 'error'), event.where), ...this.#error(event.error)];
      case 'output':
        return [`${indent}${paint('dim', '|')} ${event.line}`];
      case 'note':
        return [this.#line(paint('yellow', 'note'), event.message)];
    }
  }

  /** Returns the line of several requests. */
  merged({ client, methods, ms, outcome }: MergedCalls): string {
    const paint = this.#terminal.paintError;
    const took = paint('dim', duration(ms));
    // The reason was printed when the start failed.
    const refused = outcome === 'no-server' ? ` ${paint('red', 'rejected: the server does not start')}` : '';
    return this.#line(client, `${wordsOf(methods)} ${took}${refused}`);
  }

  #line(label: string, text: string): string {
    const time = new Date().toTimeString().slice(0, timeWidth - 1);
    return `${this.#terminal.paintError('dim', time)} ${label}  ${text}`;
  }

  #banner(url: string | undefined): readonly string[] {
    if (url === undefined)
      return [this.#line(this.#terminal.paintError('bold', 'tenon dev'), 'serves over stdio')];
    const { target } = this.#printing;
    const name = target.kind === 'file' ? basename(target.file) : target.command;
    const { paintError } = this.#terminal;
    return [
      '',
      `  ${paintError('bold', name)} at ${paintError(['bold', 'underline'], url)}`,
      '',
      `  ${paintError('dim', 'list  ')} tenon list ${url}`,
      `  ${paintError('dim', 'call  ')} tenon call ${url} TOOL`,
      `  ${paintError('dim', 'add   ')} tenon install CLIENT ${url}`,
      `  ${paintError('dim', 'stop  ')} Ctrl+C`,
      '',
    ];
  }

  #reloaded({ ms, files, changes }: Extract<DevEvent, { type: 'reloaded' }>): string {
    const paint = this.#terminal.paintError;
    const lists = changes.map(({ list, added, removed, changed }) =>
      [
        `${list}:`,
        ...added.map((name) => paint('green', `+${name}`)),
        ...removed.map((name) => paint('red', `-${name}`)),
        ...changed.map((name) => paint('yellow', `~${name}`)),
      ].join(' '),
    );
    const shown = files.length > 3 ? `${files.length} files` : files.join(', ');
    return [`in ${duration(ms)} (${shown})`, ...lists].join(', ');
  }

  #call({ method, name, ms, outcome, message }: Extract<DevEvent, { type: 'call' }>): string {
    const paint = this.#terminal.paintError;
    const what = `${method}${name === undefined ? '' : ` ${paint('bold', name)}`}`;
    const took = paint('dim', duration(ms));
    if (outcome === 'ok') return `${what} ${took}`;
    const color = outcome === 'input' || outcome === 'cancelled' ? 'yellow' : 'red';
    const text = message === undefined ? '' : `: ${message.split('\n')[0] ?? ''}`;
    return `${what} ${took} ${paint(color, outcome + text)}`;
  }

  #error(report: ErrorReport): readonly string[] {
    const paint = this.#terminal.paintError;
    const { cwd } = this.#terminal.source;
    const { message, stack, place, source } = explainError(report, cwd);
    const width = String(source.at(-1)?.line ?? '').length;
    const columns = this.#terminal.errorColumns - indent.length - 3;
    const frame = source.flatMap(({ line, text }) => {
      const isPlace = line === place?.line;
      const shown = `${String(line).padStart(width)} | ${text}`.slice(0, columns);
      if (!isPlace) return [`${indent}  ${paint('dim', shown)}`];
      const before = text.slice(0, (place?.column ?? 1) - 1).replace(/\S/g, ' ');
      return [
        `${indent}${paint('red', '>')} ${shown}`,
        `${indent}  ${' '.repeat(width)} | ${before}${paint('red', '^')}`,
      ];
    });
    const at =
      place === undefined
        ? []
        : [`${indent}${paint('cyan', `${relative(cwd, place.file)}:${place.line}:${place.column}`)}`];
    return [
      ...message.split('\n').map((line) => `${indent}${paint('red', line)}`),
      ...(frame.length === 0 ? [] : [...at, ...frame]),
      ...stack.slice(1).map((line) => `${indent}${paint('dim', line)}`),
    ];
  }
}

const indent = ' '.repeat(timeWidth);

function crash({ code, signal, restartIn }: Extract<DevEvent, { type: 'crashed' }>): string {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const next =
    restartIn === undefined ? 'Save a file to start it again.' : `It starts again in ${duration(restartIn)}.`;
  return `The server ended ${how}. ${next}`;
}

function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
