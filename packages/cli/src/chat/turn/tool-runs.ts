import type { ContentBlock, Progress, ToolResult } from '@tenon/mcp-client';
import { type AuditRecord, type Host, HostError, type HostTool } from '@tenon/mcp-host';
import type { ToolResult as ModelResult, ModelToolCall, RunContext } from '@tenon/mcp-host/models';
import { type ContentFile, fileOf } from '@tenon/mcp-workbench/calls';
import type { Screen } from '../screen/screen.js';
import { folded, jsonLines, shortLine, shownText } from '../screen/shown-text.js';
import { modelContent } from './model-content.js';

/** Lines of a result that are shown. The model receives all. */
const mostLines = 8;
/** Files of results that `/save` can write, at most; the oldest are dropped. */
const mostFiles = 20;

/** One call that runs. */
interface Run {
  readonly label: string;
  readonly call: ModelToolCall;
  /** The time when the call was sent; undefined before. */
  sentAt: number | undefined;
  /** True if the user saw the inputs in the question. */
  isShown: boolean;
}

/** Runs the calls of a model through the host, and shows each: its inputs before it is sent, its progress, its end. */
export class ToolRuns {
  readonly #host: () => Host;
  readonly #screen: Screen;
  readonly #running = new Map<string, Run>();
  readonly #settled = new Set<Promise<unknown>>();
  #files: readonly ContentFile[] = [];
  #fileCount = 0;

  constructor(host: () => Host, screen: Screen) {
    this.#host = host;
    this.#screen = screen;
  }

  /** Runs the calls of one reply. Does not reject: failures are results for the model. */
  async run(calls: readonly ModelToolCall[], context: RunContext): Promise<readonly ModelResult[]> {
    const runs = calls.map(async (call) => {
      const run = this.#one(call, context);
      this.#settled.add(run);
      try {
        const result = await run;
        context.onResult(result);
        return result;
      } finally {
        this.#settled.delete(run);
      }
    });
    return Promise.all(runs);
  }

  /** Shows that all running calls are being cancelled. */
  showCancelling(): void {
    const { paintError } = this.#screen.terminal;
    for (const { label } of this.#running.values())
      this.#screen.note(`${paintError('magenta', '◌')} ${label}  cancelling ...`);
  }

  /** Resolves when no call runs, with its end shown. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#settled);
  }

  /** Shows that a call is sent. Its inputs were in the question, or are shown now. */
  showSent({ kind, callId, server, name, input }: AuditRecord): void {
    if (kind !== 'tool') return;
    const run = this.#running.get(callId ?? '');
    if (run !== undefined) run.sentAt = performance.now();
    this.#showCall(
      `${server} · ${shortLine(name, 80)}`,
      run?.isShown === true ? undefined : (run?.call.args ?? input),
    );
  }

  /** Notes that the user saw the inputs of a call. */
  markShown(callId: string | undefined): void {
    const run = this.#running.get(callId ?? '');
    if (run !== undefined) run.isShown = true;
  }

  /** Returns a file of a result by its number on the screen. */
  file(number: number): ContentFile | undefined {
    return this.#files[this.#files.length - 1 - (this.#fileCount - number)];
  }

  async #one(call: ModelToolCall, { signal, turn }: RunContext): Promise<ModelResult> {
    const { id, name, args } = call;
    const host = this.#host();
    const tool = (await host.tools({ signal })).find((one) => one.name === name);
    const label = tool === undefined ? shortLine(name, 80) : labelOf(tool);
    const run: Run = { label, call, sentAt: undefined, isShown: false };
    this.#running.set(id, run);
    try {
      const result = await host.callTool(name, args, {
        ...{ signal, way: 'model', turn: String(turn), callId: id },
        onProgress: (progress) => this.#showProgress(label, progress),
      });
      this.#showResult(run, result);
      return { id, content: modelContent(result), isError: result.isError };
    } catch (error) {
      this.#showFailure(run, error, signal);
      return { id, content: [{ type: 'text', text: failureFor(error, signal) }], isError: true };
    } finally {
      this.#running.delete(id);
    }
  }

  #showCall(label: string, args: unknown): void {
    const { terminal } = this.#screen;
    const { paintError } = terminal;
    const head = `${paintError('cyan', '●')} ${paintError('bold', shownText(label))}`;
    if (args === undefined) {
      this.#screen.note(head);
      return;
    }
    const width = this.#width;
    const lines = jsonLines(args, width);
    const [only = ''] = lines;
    if (lines.length === 1 && label.length + only.length + 4 <= width)
      {
      this.#screen.note(`${head}  ${paintError('dim', only)}`);
      return;
    }
    this.#screen.note([head, ...lines.map((line) => paintError('dim', `  ${line}`))].join('\n'));
  }

  #showProgress(label: string, { progress, total, message }: Progress): void {
    const { terminal } = this.#screen;
    const amount = total === undefined ? String(progress) : `${progress}/${total} ${barOf(progress / total)}`;
    const text = `  ${label}  ${amount}${message === undefined ? '' : ` ${shortLine(message, 100)}`}`;
    if (terminal.source.error.isTTY === true) this.#screen.status(text);
    else this.#screen.note(text);
  }

  #showResult({ label, sentAt }: Run, { content, structuredContent, isError }: ToolResult): void {
    const ms = performance.now() - (sentAt ?? performance.now());
    const { paintError } = this.#screen.terminal;
    const [mark, word] = isError ? [paintError('red', '✗'), 'failed'] : [paintError('green', '✓'), 'done'];
    const lines = [`${mark} ${label}  ${paintError('dim', `${word} in ${(ms / 1_000).toFixed(1)} s`)}`];
    const hasText = content.some(({ type }) => type === 'text');
    const all = content.flatMap((block) =>
      textOfBlock(block)
        .split('\n')
        .filter((line) => line !== ''),
    );
    if (!hasText && structuredContent !== undefined) all.push(...jsonLines(structuredContent, this.#width));
    const shown = all
      .slice(0, mostLines)
      .flatMap((line) => folded(shownText(line.slice(0, 2_000)), this.#width));
    lines.push(...shown.map((line) => paintError('dim', `  ${line}`)));
    if (all.length > mostLines) lines.push(paintError('dim', `  … ${all.length - mostLines} more lines`));
    this.#screen.note(lines.join('\n'));
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

  #showFailure({ label, sentAt }: Run, error: unknown, signal: AbortSignal): void {
    const { paintError } = this.#screen.terminal;
    if (signal.aborted) {
      const text = sentAt === undefined ? 'not called' : 'cancelled';
      this.#screen.note(`${paintError('magenta', '■')} ${label}  ${text}`);
      return;
    }
    const isDenied = error instanceof HostError && error.reason === 'denied';
    const text = shortLine(error instanceof Error ? error.message : String(error), 400);
    const mark = isDenied ? paintError('magenta', '■') : paintError('red', '✗');
    this.#screen.note(`${mark} ${label}  ${isDenied ? 'not called' : 'failed'}: ${text}`);
  }

  get #width(): number {
    return Math.max(20, Math.min(this.#screen.terminal.source.error.columns ?? 100, 100) - 3);
  }
}

function labelOf({ server, tool }: HostTool): string {
  return `${server} · ${shortLine(tool.name, 80)}`;
}

function textOfBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `[link] ${block.uri}`;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : '';
}

function failureFor(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The user cancelled the call. The tool may have run, or a part of it.';
  return error instanceof Error ? error.message : String(error);
}

function barOf(part: number): string {
  const full = Math.round(Math.min(1, Math.max(0, part)) * 10);
  return '▓'.repeat(full) + '░'.repeat(10 - full);
}
