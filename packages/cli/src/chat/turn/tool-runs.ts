import { printableText } from '@tenon/foundation';
import type { Progress, ToolResult } from '@tenon/mcp-client';
import { type AuditRecord, type CallPlace, type Host, HostError, type HostToolResult } from '@tenon/mcp-host';
import type { ModelToolCall, RunContext } from '@tenon/mcp-host/models';
import { type ContentFile, fileOf } from '@tenon/mcp-workbench/calls';
import { blockText } from '../../content/print-content.js';
import type { Screen } from '../screen/screen.js';
import { folded, jsonLines, shortLine, shownText, textLines } from '../screen/shown-text.js';

/** Lines of a result that are shown. The model receives all. */
const mostLines = 8;
/** Characters of a line of a result that are shown. */
const mostCharacters = 1_000;
/** Files of results that `/save` can write, at most; the oldest are dropped. */
const mostFiles = 20;

/** One call that runs. */
interface Run {
  readonly call: ModelToolCall;
  /** Server and tool, once they are known. */
  label: string;
  /** The time when the call was sent; undefined before. */
  sentAt: number | undefined;
  /** True if the user saw the inputs when asked for consent. */
  isShown: boolean;
}

/** Runs the calls of a model through the host, and shows each: its inputs before it is sent, its progress, its end. */
export class ToolRuns {
  readonly #host: () => Host;
  readonly #screen: Screen;
  readonly #running = new Map<string, Run>();
  #last: Promise<unknown> = Promise.resolve();
  #files: readonly ContentFile[] = [];
  #fileCount = 0;

  constructor(host: () => Host, screen: Screen) {
    this.#host = host;
    this.#screen = screen;
  }

  /** Runs the calls of one reply. Does not reject because of a call: failures are results for the model. */
  run(
    calls: readonly ModelToolCall[],
    { signal, turn, onResult }: RunContext,
  ): Promise<readonly HostToolResult[]> {
    for (const call of calls)
      this.#running.set(call.id, {
        call,
        label: shortLine(call.name, 80),
        sentAt: undefined,
        isShown: false,
      });
    const results = this.#host().run(calls, {
      ...{ signal, turn },
      onProgress: (progress, place) => this.#showProgress(progress, place),
      onResult: (result) => {
        this.#showEnd(result, signal);
        onResult(result);
      },
    });
    this.#last = results.catch(() => undefined).finally(() => this.#running.clear());
    return results;
  }

  /** Shows that all running calls are being cancelled. */
  showCancelling(): void {
    const { paintError } = this.#screen.terminal;
    for (const { label } of this.#running.values())
      this.#screen.note(`${paintError('magenta', '◌')} ${label}  cancelling ...`);
  }

  /** Resolves when no call runs, with its end shown. */
  async ended(): Promise<void> {
    await this.#last;
  }

  /** Shows that a call is sent, with its inputs unless the user saw them when asked for consent. */
  showSent({ kind, callId = '', server, name, input }: AuditRecord): void {
    if (kind !== 'tool') return;
    const label = labelOf(server, name);
    const run = this.#running.get(callId);
    if (run !== undefined) Object.assign(run, { label, sentAt: performance.now() });
    this.#showCall(label, run?.isShown === true ? undefined : (run?.call.args ?? input));
  }

  /** Notes that the user has seen the inputs of a call. */
  markShown(callId: string | undefined): void {
    const run = this.#running.get(callId ?? '');
    if (run !== undefined) run.isShown = true;
  }

  /** Returns a file of a result by its number on the screen. */
  file(number: number): ContentFile | undefined {
    return this.#files[this.#files.length - 1 - (this.#fileCount - number)];
  }

  #showCall(label: string, args: unknown): void {
    const { paintError } = this.#screen.terminal;
    const head = `${paintError('cyan', '●')} ${paintError('bold', label)}`;
    const isEmpty = args === undefined || JSON.stringify(args) === '{}';
    const lines = isEmpty ? [] : jsonLines(args, this.#screen.width);
    const [only = ''] = lines;
    const isShort = lines.length <= 1 && label.length + only.length + 4 <= this.#screen.width;
    if (isShort) this.#screen.note(`${head}  ${paintError('dim', only)}`.trimEnd());
    else this.#screen.note([head, ...lines.map((line) => paintError('dim', `  ${line}`))].join('\n'));
  }

  #showProgress({ progress, total, message }: Progress, { server, tool }: CallPlace): void {
    const amount = total === undefined ? String(progress) : `${progress}/${total} ${barOf(progress / total)}`;
    const more = message === undefined ? '' : ` ${shortLine(message, 100)}`;
    const text = `  ${labelOf(server, tool)}  ${amount}${more}`;
    if (this.#screen.terminal.source.error.isTTY === true) this.#screen.status(text);
    else this.#screen.note(text);
  }

  #showEnd({ id, server, tool, result, error, isError, content }: HostToolResult, signal: AbortSignal): void {
    const run = this.#running.get(id);
    this.#running.delete(id);
    const label = server === undefined || tool === undefined ? (run?.label ?? '') : labelOf(server, tool);
    if (result !== undefined)
      this.#showResult(label, result, performance.now() - (run?.sentAt ?? performance.now()));
    else if (error !== undefined)
      this.#showFailure({ label, isSent: run?.sentAt !== undefined, error }, signal);
    else {
      const [block] = content;
      const text = block?.type === 'text' ? shortLine(block.text, 200) : '';
      this.#screen.note(`${this.#mark(isError === true)} ${label}  ${text}`);
    }
  }

  #showResult(label: string, { content, structuredContent, isError }: ToolResult, ms: number): void {
    const { paintError } = this.#screen.terminal;
    const took = `${isError ? 'failed' : 'done'} in ${(ms / 1_000).toFixed(1)} s`;
    const texts = content.flatMap((block) =>
      fileOf(block) === undefined ? blockText(block).split('\n') : [],
    );
    const all = texts.filter((line) => line.trim() !== '');
    if (all.length === 0 && structuredContent !== undefined)
      all.push(...jsonLines(structuredContent, this.#screen.width));
    const shown = all
      .slice(0, mostLines)
      .flatMap((line) => folded(shownText(line.slice(0, mostCharacters)), this.#screen.width));
    const more = all.length > mostLines ? [`… ${all.length - mostLines} more lines`] : [];
    const lines = [...shown, ...more].map((line) => paintError('dim', `  ${line}`));
    this.#screen.note([`${this.#mark(isError)} ${label}  ${paintError('dim', took)}`, ...lines].join('\n'));
    for (const file of content.flatMap((block) => fileOf(block) ?? [])) this.#showFile(file);
  }

  #showFile(file: ContentFile): void {
    this.#files = [...this.#files, file].slice(-mostFiles);
    this.#fileCount++;
    this.#screen.file(file);
    this.#screen.note(
      this.#screen.terminal.paintError('dim', `  /save ${this.#fileCount} writes it to a file`),
    );
  }

  #showFailure(
    { label, isSent, error }: { readonly label: string; readonly isSent: boolean; readonly error: unknown },
    signal: AbortSignal,
  ): void {
    const { paintError } = this.#screen.terminal;
    const stopped = paintError('magenta', '■');
    if (signal.aborted) {
      this.#screen.note(`${stopped} ${label}  ${isSent ? 'cancelled' : 'not called'}`);
      return;
    }
    const isDenied = error instanceof HostError && error.reason === 'denied';
    const head = isDenied ? `${stopped} ${label}  not called` : `${this.#mark(true)} ${label}  failed`;
    const why = textLines(
      shortLine(error instanceof Error ? error.message : String(error), 400),
      this.#screen.width - 2,
    );
    this.#screen.note([head, ...why.map((line) => paintError('dim', line))].join('\n  '));
  }

  #mark(isError: boolean): string {
    const { paintError } = this.#screen.terminal;
    return isError ? paintError('red', '✗') : paintError('green', '✓');
  }
}

function labelOf(server: string, tool: string): string {
  return `${printableText(server)} · ${shortLine(tool, 80)}`;
}

function barOf(part: number): string {
  const full = Math.round(Math.min(1, Math.max(0, part)) * 10);
  return '▓'.repeat(full) + '░'.repeat(10 - full);
}
