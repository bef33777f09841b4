import type { Tool } from '@tenon/mcp-client';
import { type ServerTarget, WorkbenchError } from '@tenon/mcp-workbench';
import {
  type Arguments,
  isCallExpression,
  missingArguments,
  missingArgumentsError,
} from '@tenon/mcp-workbench/calls';
import {
  compareLoads,
  type LoadCall,
  type LoadReport,
  measureLoad,
  readLoadCalls,
  readLoadReport,
} from '@tenon/mcp-workbench/load';
import { argumentsFor, type ReadCall, readCall, requireAccepted } from '../../calls/call-arguments.js';
import { readCallLine } from '../../calls/call-line.js';
import { parseJson, readText } from '../../files/read-file.js';
import { chosenServer } from '../../server/chosen-server.js';
import type { ServerLine } from '../../server/with-client.js';
import { withSignIn } from '../../server/with-sign-in.js';
import { clientInfo } from '../../version.js';
import type { BenchFlags } from './bench-flags.js';
import { changeTable, loadTable } from './load-table.js';

/** The command line of `tenon bench`. */
export interface BenchLine extends ServerLine {
  readonly options: BenchFlags;
}

/** Measures a load, and prints the report; after Ctrl+C the report of what was measured. */
export async function runBench(line: BenchLine): Promise<void> {
  const { terminal, signal, options } = line;
  const { target, calls } = await loadOf(line);
  const before = options.compare === undefined ? undefined : await storedReport(options.compare, line);
  const { connections, concurrency, requests, warmup, rate, revision } = options;
  terminal.status('Connecting ...');
  const report = await withSignIn(target, line, (auth) =>
    measureLoad(target, {
      ...{ info: clientInfo(), auth, calls, connections, concurrency, requests, warmup, rate, signal },
      ...(revision !== undefined && { revision }),
      duration: milliseconds(options.duration),
      callTimeout: milliseconds(options.timeout),
      ownsServer: options.iOwnThisServer,
      onProgress: ({ seconds, calls: done, errors }) =>
        terminal.status(`${seconds.toFixed(0)} s: ${done} calls, ${errors} errors`),
    }),
  );
  terminal.clearStatus();
  const changes = before === undefined ? undefined : compareLoads(before, report);
  if (options.json) terminal.printJson(changes === undefined ? report : { ...report, changes });
  else print(report, changes, line);
  signal.throwIfAborted();
  requireSuccess(report);
}

function print(
  report: LoadReport,
  changes: ReturnType<typeof compareLoads> | undefined,
  { terminal }: BenchLine,
): void {
  for (const text of loadTable(report, terminal)) terminal.print(text);
  if (changes === undefined) return;
  terminal.print('');
  for (const text of changeTable(changes, terminal)) terminal.print(text);
}

/** @throws WorkbenchError if no call succeeded: the numbers then say nothing. */
function requireSuccess({ total, errors }: LoadReport): void {
  const [kind] = Object.keys(errors);
  if (total.calls > total.errors) return;
  const example = kind === undefined ? '' : ` ${kind}: ${errors[kind]?.example ?? ''}`;
  throw new WorkbenchError('tool', `No call succeeded.${example}`);
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** The server of a load, and its calls; undefined for `tools/list`. */
interface Load {
  readonly target: ServerTarget;
  readonly calls: readonly LoadCall[] | undefined;
}

async function loadOf(line: BenchLine): Promise<Load> {
  const { options, words, serverCommand, terminal } = line;
  const [first] = words;
  const isAlone = serverCommand.length === 0 && words.length === 1 && !isCallExpression(first ?? '');
  if (first === undefined || isAlone) {
    if (options.args !== undefined)
      throw new WorkbenchError('usage', '--args needs the name of a tool before it.');
    const { target } = await chosenServer(words, options, line);
    const file = options.calls;
    return {
      target,
      calls: file === undefined ? undefined : readLoadCalls(await jsonFile(file, line), file),
    };
  }
  if (options.calls !== undefined) throw new WorkbenchError('usage', 'Give either a tool, or --calls FILE.');
  const call = readCallLine(words, serverCommand.length > 0);
  const { target } = await chosenServer(call.server, options, line);
  const read = await readCall(call, options.args, terminal);
  const makeArguments = (tool: Tool) => completeArguments(tool, read, line);
  return { target, calls: [{ tool: call.tool, makeArguments }] };
}

/** Returns the arguments of all calls: those that the server would reject measure errors only. */
async function completeArguments(tool: Tool, call: ReadCall, { terminal }: BenchLine): Promise<Arguments> {
  const args = await argumentsFor(tool, call, terminal);
  const missing = missingArguments(tool, args);
  if (missing.length > 0) throw missingArgumentsError(tool, missing);
  requireAccepted(tool, args, 'See "tenon list SERVER TOOL". --calls FILE sends arguments as they are.');
  return args;
}

async function storedReport(file: string, line: BenchLine): Promise<LoadReport> {
  return readLoadReport(await jsonFile(file, line), file);
}

async function jsonFile(file: string, { terminal }: BenchLine): Promise<unknown> {
  return parseJson(await readText(file, terminal), file);
}
