import { printableJson } from '@tenon/foundation';
import {
  type CallOptions,
  type CallToolResult,
  type InputRequestContext,
  type LogLevel,
  type Meta,
  type OnElicitUrl,
  RemoteUrlElicitationError,
  type Tool,
} from '@tenon/mcp-client';
import { idempotencyKey } from '@tenon/mcp-idempotency/client';
import type { JsonValue } from '@tenon/mcp-protocol';
import { LeftOut, type OpenOptions, readList, type ServerClient, WorkbenchError } from '@tenon/mcp-workbench';
import {
  type Arguments,
  argumentProblems,
  argumentsOf,
  missingArguments,
  missingArgumentsError,
  type Parameter,
  toolNamed,
  typeOf,
} from '@tenon/mcp-workbench/calls';
import { argumentsFor, type ReadCall, readCall, requireAccepted } from '../../calls/call-arguments.js';
import { readCallLine } from '../../calls/call-line.js';
import { printResult, type ResultOptions, requireFreeOutput } from '../../content/print-result.js';
import { type InputOptions, inputSource } from '../../input/input-source.js';
import { type Prompter, prompterOf } from '../../input/prompter.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import { callOrStart, TaskStarter } from '../../tasks/start-task.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Options of `tenon call`. */
interface CallCommandOptions extends ServerOptions, InputOptions, ResultOptions {
  readonly args?: string;
  readonly task?: true;
  readonly progress?: true;
  readonly log?: LogLevel;
  readonly key?: string;
  readonly dryRun?: true;
  readonly confirm?: true;
  /** False with `--no-check`. */
  readonly check: boolean;
}

type CallCommandLine = ServerLine<CallCommandOptions>;

/** Calls a tool and prints its result. */
export async function runCall(line: CallCommandLine): Promise<void> {
  const { options, terminal, serverCommand } = line;
  const call = readCallLine(line.words, serverCommand.length > 0);
  const input = await inputSource(line, options);
  requireFreeOutput(options, terminal);
  const read = await readCall(call, options.args, terminal);
  const starter = options.task ? new TaskStarter() : undefined;
  const leftOut = new LeftOut();
  const { onError } = leftOut;
  const open = { onError, ...input.open, ...starter?.open(input.open), ...logging(options.log, terminal) };
  await withClient({ ...line, words: call.server, open }, async ({ client, target }) => {
    const tool = await calledTool(client, call.tool, line).catch((error: unknown) => {
      // The tool may be one of those that the client leaves out.
      for (const reason of leftOut.reasons) terminal.note(reason);
      throw error;
    });
    const args = await completeArguments(tool, read, line);
    const meta = metaOf(options);
    const params = { name: tool.name, arguments: args, ...(meta !== undefined && { _meta: meta }) };
    if (options.dryRun) return terminal.printJson({ method: 'tools/call', params });
    if (options.confirm) await confirmCall(tool, args, line);
    const callOptions: CallOptions = {
      signal: input.signal,
      onProgress: progressListener(options, terminal),
      ...(meta !== undefined && { meta }),
    };
    terminal.status(`${tool.name} ...`);
    const onPage = input.open.onElicitUrl;
    const request = { name: tool.name, args, options: callOptions };
    const result = await input
      .run(() =>
        withPages(() => callOrStart({ client, target, starter }, request, line), {
          onPage,
          context: { server: client.server, signal: input.signal },
        }),
      )
      .finally(() => terminal.clearStatus());
    if (result !== undefined) await printResult(result as CallToolResult, { tool, terminal, options });
  });
}

/** Returns the listed tool. Without checks, a tool that is not listed may be called too. */
async function calledTool(client: ServerClient, name: string, line: CallCommandLine): Promise<Tool> {
  if (client.capabilities.tools === undefined && line.options.check)
    throw new WorkbenchError('usage', 'The server has no tools.', { hint: 'See "tenon list".' });
  const tools = await readList(client, 'tools', { signal: line.signal });
  const listed = tools.find((tool) => tool.name === name);
  return !line.options.check && listed === undefined
    ? { name, inputSchema: { type: 'object', additionalProperties: true } }
    : toolNamed(name, tools);
}

async function completeArguments(
  tool: Tool,
  call: ReadCall,
  { options, terminal, signal }: CallCommandLine,
): Promise<Arguments> {
  if (!options.check) {
    const inputSchema = { ...tool.inputSchema, additionalProperties: true };
    return argumentsFor({ ...tool, inputSchema }, call, terminal);
  }
  let args = await argumentsFor(tool, call, terminal);
  const missing = missingArguments(tool, args);
  if (missing.length > 0) {
    if (!terminal.isInteractive) throw missingArgumentsError(tool, missing);
    args = { ...args, ...(await askArguments(tool, missing, await prompterOf(terminal, signal))) };
  }
  requireAccepted(tool, args, 'See "tenon list SERVER TOOL". --no-check sends them all the same.');
  return args;
}

function metaOf({ key }: CallCommandOptions): Meta | undefined {
  return key === undefined ? undefined : { [idempotencyKey]: key };
}

/** Requires a yes of the user for a tool that may change something, by its own hints. @throws WorkbenchError `usage` */
async function confirmCall(
  tool: Tool,
  args: Arguments,
  { terminal, signal }: CallCommandLine,
): Promise<void> {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  if (readOnlyHint === true || destructiveHint === false) return;
  if (!terminal.isInteractive)
    throw new WorkbenchError('usage', '--confirm needs a terminal.', {
      hint: 'Leave --confirm out in scripts.',
    });
  const { choice } = await prompterOf(terminal, signal);
  const message = `${tool.name} may change or delete something. Call it with ${printableJson(args)}?`;
  const choices = [
    { value: 'no', label: 'No' },
    { value: 'yes', label: 'Yes' },
  ];
  if ((await choice({ message, choices })) !== 'yes')
    throw new WorkbenchError('usage', `The tool "${tool.name}" was not called.`);
}

/** Returns the options of a connection that print log messages of at least a level to stderr. */
export function logging(level: LogLevel | undefined, terminal: Terminal): Partial<OpenOptions> {
  if (level === undefined) return {};
  return {
    logLevel: level,
    onLog({ level: one, logger, data }) {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      const from = logger === undefined ? '' : ` ${logger}`;
      terminal.note(`${terminal.paintError('dim', `${one}${from}:`)} ${text}`);
    },
  };
}

/** Returns the listener that shows progress in the status line, or prints each step with `--progress`. */
function progressListener(
  { progress: prints }: { readonly progress?: true },
  terminal: Terminal,
): NonNullable<CallOptions['onProgress']> {
  return ({ progress, total, message }) => {
    const amount = total === undefined ? String(progress) : `${progress}/${total}`;
    const text = `${amount}${message === undefined ? '' : ` ${message}`}`;
    if (prints) terminal.note(text);
    else terminal.status(text);
  };
}

/** The handler of pages, and its context. */
export interface Pages {
  readonly onPage: OnElicitUrl | undefined;
  readonly context: InputRequestContext;
}

/**
 * Runs a call. If the server rejects it until the user has visited pages, as 2025-11-25 allows, shows the pages and calls once more.
 * @throws the error of the server if the user does not accept all of them.
 */
async function withPages<T>(call: () => Promise<T>, { onPage, context }: Pages): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof RemoteUrlElicitationError) || onPage === undefined) throw error;
    for (const page of error.elicitations) {
      const { action } = await onPage(page, context);
      if (action !== 'accept') throw error;
    }
    return call();
  }
}

const mostChoices = 50;

/** Returns required arguments that have no value yet, as the user enters them. @throws WorkbenchError `usage` if the user stops. */
async function askArguments(
  tool: Tool,
  missing: readonly Parameter[],
  prompter: Prompter,
): Promise<Arguments> {
  prompter.say(`${tool.name} needs ${missing.length === 1 ? 'an argument' : `${missing.length} arguments`}.`);
  const values: [string, JsonValue][] = [];
  for (const parameter of missing)
    values.push([parameter.name, await askArgument(tool, parameter, prompter)]);
  return Object.fromEntries(values);
}

async function askArgument(tool: Tool, { name, schema }: Parameter, prompter: Prompter): Promise<JsonValue> {
  const type = typeOf(schema, { root: tool.inputSchema, brief: true });
  const { description, enum: choices, type: kind } = (schema ?? {}) as { [keyword: string]: unknown };
  const message = `${name}: ${type}${typeof description === 'string' ? `\n${description}` : ''}`;
  const options = kind === 'boolean' ? [true, false] : choices;
  if (Array.isArray(options) && options.length <= mostChoices) {
    const labels = options.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    const answer = await prompter.choice({
      message,
      choices: labels.map((label) => ({ value: label, label })),
    });
    return options[labels.indexOf(requireAnswer(answer, tool))] as JsonValue;
  }
  for (;;) {
    const text = requireAnswer(await prompter.text({ message }), tool);
    try {
      return await checkedValue(tool, name, text);
    } catch (error) {
      if (!(error instanceof WorkbenchError)) throw error;
      prompter.say(error.message);
    }
  }
}

async function checkedValue(tool: Tool, name: string, text: string): Promise<JsonValue> {
  const readFile = () => Promise.reject(new WorkbenchError('usage', 'Files are not read here.'));
  // A text that begins with @ is not a file here.
  const words = [{ name, isJson: false, text: text.replace(/^@/, '@@') }];
  const { [name]: value = text } = await argumentsOf(tool, { words, readFile });
  const problem = argumentProblems(tool, { [name]: value }).find((one) => one.startsWith(`${name}:`));
  if (problem !== undefined) throw new WorkbenchError('usage', problem);
  return value;
}

function requireAnswer(answer: string | undefined, { name }: Tool): string {
  if (answer !== undefined) return answer;
  throw new WorkbenchError('usage', `The tool "${name}" was not called.`);
}
