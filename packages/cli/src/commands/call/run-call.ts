import type { CallOptions, CallToolResult, LogLevel, Meta, Tool } from '@tenon/mcp-client';
import { idempotencyKey } from '@tenon/mcp-protocol/internal';
import { LeftOut, type ServerClient, WorkbenchError } from '@tenon/mcp-workbench';
import {
  type Arguments,
  missingArguments,
  missingArgumentsError,
  toolNamed,
} from '@tenon/mcp-workbench/calls';
import { printableJson } from '@tenon/mcp-workbench/printable';
import { argumentsFor, type ReadCall, readCall, requireAccepted } from '../../calls/call-arguments.js';
import { readCallLine } from '../../calls/call-line.js';
import { type InputOptions, inputSource } from '../../input/input-source.js';
import { prompterOf } from '../../input/prompter.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import { callOrStart } from '../../tasks/call-or-start.js';
import { TaskStarter } from '../../tasks/start-task.js';
import { askArguments } from './ask-arguments.js';
import { printResult, type ResultOptions, requireFreeOutput } from './print-result.js';
import { withPages } from './required-pages.js';
import { logging, progressListener } from './watch-call.js';

/** Options of `tenon call`. */
export interface CallCommandOptions extends ServerOptions, InputOptions, ResultOptions {
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

/** The line of `tenon call`. */
export interface CallCommandLine extends ServerLine {
  readonly options: CallCommandOptions;
}

/** Calls a tool and prints its result. */
export async function runCall(line: CallCommandLine): Promise<void> {
  const { options, terminal, serverCommand } = line;
  const call = readCallLine(line.words, serverCommand.length > 0);
  const input = await inputSource(line, options);
  await requireFreeOutput(options, terminal);
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
    if (options.dryRun) {
      const params = { name: tool.name, arguments: args, ...(meta !== undefined && { _meta: meta }) };
      terminal.printJson({ method: 'tools/call', params });
      return;
    }
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
  const tools =
    client.capabilities.tools === undefined ? [] : await client.tools({ signal: line.signal }).all();
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
