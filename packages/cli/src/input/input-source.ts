import { printableJson } from '@tenon/foundation';
import { type CreateMessageParams, type ElicitParams, type Implementation, textOf } from '@tenon/mcp-client';
import { type OpenOptions, WorkbenchError } from '@tenon/mcp-workbench';
import { type Answers, answersFrom, templateOf } from '@tenon/mcp-workbench/calls';
import type { CommandContext } from '../context.js';
import { readText } from '../files/files.js';
import { type Prompter, prompterOf } from './prompter.js';

/** Options of commands that answer input requests. */
export interface InputOptions {
  readonly answers?: string;
}

/** The answers to the input requests of one command. */
interface InputSource {
  /** The options of the connection. */
  readonly open: Partial<OpenOptions>;
  /** Aborts with Ctrl+C, and when an input request cannot be answered. */
  readonly signal: AbortSignal;
  /** Runs a call; an input request without an answer is the error of the call. Then reports the answers that were not used. */
  run<T>(call: () => Promise<T>): Promise<T>;
}

/**
 * Returns the answers to input requests: those of a file, otherwise those of the user at the terminal, otherwise the error that
 * names the option.
 * @throws WorkbenchError `usage` if the file cannot be read.
 */
export async function inputSource(context: CommandContext, options: InputOptions): Promise<InputSource> {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const fail = (error: WorkbenchError): WorkbenchError => {
    failure.abort(error);
    return error;
  };
  const answers = options.answers === undefined ? undefined : await answersOf(options.answers, context, fail);
  const open =
    answers === undefined ? askingOptions({ ...context, signal }, fail) : answeringOptions(answers);
  return {
    open,
    signal,
    async run(call) {
      try {
        return await call();
      } catch (error) {
        throw failure.signal.aborted ? failure.signal.reason : error;
      } finally {
        if (!failure.signal.aborted) noteUnused(answers, context);
      }
    },
  };
}

async function answersOf(
  file: string,
  { terminal }: CommandContext,
  onFailure: (failure: WorkbenchError) => void,
): Promise<Answers> {
  return answersFrom(await readText(file, terminal), { file, onFailure });
}

function answeringOptions({
  onElicit,
  onElicitUrl,
  onSample,
  roots,
  middleware,
}: Answers): Partial<OpenOptions> {
  return { onElicit, onElicitUrl, onSample, middleware: [middleware], ...(roots !== undefined && { roots }) };
}

function noteUnused(answers: Answers | undefined, { terminal }: CommandContext): void {
  const unused = answers?.unused() ?? [];
  if (unused.length > 0) terminal.note(`No input request used the answers: ${unused.join(', ')}`);
}

/** Returns handlers that ask the user, one input request at a time. Their code is loaded with the first one. */
function askingOptions(
  { terminal, signal }: CommandContext,
  fail: (error: WorkbenchError) => WorkbenchError,
): Partial<OpenOptions> {
  const turns = new OneAtATime();
  let prompter: Promise<Prompter> | undefined;
  const ready = (): Promise<Prompter> => {
    prompter ??= prompterOf(terminal, signal);
    return prompter;
  };
  const asked = <T>(
    params: ElicitParams | CreateMessageParams,
    ask: (prompter: Prompter) => Promise<T>,
  ): Promise<T> => {
    if (!terminal.isInteractive) throw fail(unanswered(params));
    return turns.run(async () => ask(await ready()));
  };
  return {
    onElicit: (params, context) =>
      asked(params, async (on) => {
        const { askForm } = await import('./ask-user.js');
        return askForm(params, { server: nameOf(context.server), prompter: on });
      }),
    onElicitUrl: (params, context) =>
      asked(params, async () => {
        const { askPage } = await import('./ask-user.js');
        const { openInBrowser } = await import('@tenon/mcp-auth/desktop');
        return askPage({ prompter: ready, nameOf, open: openInBrowser })(params, context);
      }),
    onSample: (params, context) =>
      asked(params, async (on) => {
        const { askSample } = await import('./ask-user.js');
        return askSample(params, { server: nameOf(context.server), prompter: on });
      }),
  };
}

function unanswered(params: ElicitParams | CreateMessageParams): WorkbenchError {
  const message = 'message' in params ? params.message : textOf(params.messages.at(-1)?.content ?? []);
  const file = printableJson({ [message]: templateOf(params) });
  return new WorkbenchError('usage', `The server requests input: ${printableJson(message)}`, {
    hint: `Run the command on a terminal, or write the answers to a file and pass --answers FILE:\n  ${file}`,
  });
}

/** Returns the name of a server for people. */
function nameOf(server: Pick<Implementation, 'name'> | undefined): string {
  return (server?.name ?? 'The server').replace(/\s+/g, ' ').slice(0, 80);
}

/** Runs functions one after the other. The number that wait is that of the client's input requests, which are bounded. */
class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work, work);
    this.#last = run.catch(() => undefined);
    return run;
  }
}
