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
  type LoadChange,
  type LoadReport,
  type Measured,
  measureLoad,
  readLoadCalls,
  readLoadReport,
} from '@tenon/mcp-workbench/load';
import { argumentsFor, type ReadCall, readCall, requireAccepted } from '../../calls/call-arguments.js';
import { readCallLine } from '../../calls/call-line.js';
import { clientInfo } from '../../context.js';
import { parseJson, readText } from '../../files/files.js';
import { chosenServer } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withSignIn } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted, oneLine, tableLines } from '../../terminal/texts.js';

/** The options of `tenon bench`. */
interface BenchFlags extends ServerOptions {
  readonly args?: string;
  readonly calls?: string;
  readonly connections?: number;
  readonly concurrency?: number;
  /** In seconds. */
  readonly duration?: number;
  readonly requests?: number;
  readonly warmup?: number;
  readonly rate?: number;
  readonly compare?: string;
  readonly iOwnThisServer?: true;
}

type BenchLine = ServerLine<BenchFlags>;

/** Measures a load, and prints the report; after Ctrl+C the report of what was measured. */
export async function runBench(line: BenchLine): Promise<void> {
  const { terminal, signal, options } = line;
  const { target, calls } = await loadOf(line);
  const before =
    options.compare === undefined
      ? undefined
      : readLoadReport(await jsonFile(options.compare, line), options.compare);
  const { connections, concurrency, requests, warmup, rate, revision } = options;
  terminal.status('Connecting ...');
  const report = await withSignIn(target, line, (auth) =>
    measureLoad(target, {
      ...{ info: clientInfo(), auth, calls, connections, concurrency, requests, warmup, rate, signal },
      ...(revision !== undefined && { revision }),
      duration: inMilliseconds(options.duration),
      callTimeout: inMilliseconds(options.timeout),
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

function inMilliseconds(seconds: number | undefined): number | undefined {
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

async function jsonFile(file: string, { terminal }: BenchLine): Promise<unknown> {
  return parseJson(await readText(file, terminal), file);
}

const longestName = 30;

/** The kind of errors of a Tenon server that limits the rate of calls. */
const rateLimit = 'error -31004';
const rateLimitHelp = 'The server limits the rate of calls: set "rates: false" in createServer.';

/** Returns a report as aligned lines. */
function loadTable(report: LoadReport, terminal: Terminal): readonly string[] {
  const { paint } = terminal;
  const { target, revision, connections, concurrency, rate, seconds, isInterrupted, total } = report;
  const pace = rate === undefined ? '' : `, ${number(rate)} calls/s`;
  const load = `${counted(connections, 'connection')}, ${concurrency} in flight${pace}, ${seconds.toFixed(1)} s`;
  const kinds = Object.entries(report.calls);
  const rows = [
    ['', 'calls', 'calls/s', 'errors', 'p50', 'p90', 'p99', 'max ms'],
    ...kinds.map(([name, one]) => rowOf(name, one)),
    ...(kinds.length > 1 ? [rowOf('total', total)] : []),
  ];
  const [header = '', ...lines] = tableLines(rows, terminal, 'numbers');
  const errors = Object.entries(report.errors).map(
    ([kind, { count, example }]) =>
      `${paint('red', kind)}  ${count}  ${oneLine(example.split('\n', 1)[0] ?? '')}`,
  );
  return [
    oneLine(`${target} (${revision})`),
    load,
    ...(isInterrupted ? [paint('yellow', 'interrupted: this is what was measured until then')] : []),
    '',
    header,
    ...lines,
    ...(errors.length > 0 ? ['', ...errors] : []),
    ...(rateLimit in report.errors ? [rateLimitHelp] : []),
  ];
}

function rowOf(name: string, { calls, perSecond, errors, latency }: Measured): readonly string[] {
  const times = [latency?.p50, latency?.p90, latency?.p99, latency?.max];
  return [nameOf(name), String(calls), number(perSecond), String(errors), ...times.map(milliseconds)];
}

/** Returns the differences of two runs as aligned lines. */
function changeTable(changes: readonly LoadChange[], terminal: Terminal): readonly string[] {
  const isSingle = new Set(changes.map(({ call }) => call)).size <= 2;
  const rows = changes
    .filter(({ call }) => call !== 'total' || !isSingle)
    .filter(({ measure, before, now }) => measure !== 'errors' || before !== now)
    .map((change) => {
      const { call, measure, before, now, ratio } = change;
      const show = measure === 'perSecond' || measure === 'errors' ? number : milliseconds;
      const name = measure === 'perSecond' ? 'calls/s' : measure;
      return [nameOf(call), name, show(before), show(now), ratio === undefined ? '' : `${ratio.toFixed(2)}x`];
    });
  return tableLines([['', '', 'before', 'now', 'ratio'], ...rows], terminal, 'numbers');
}

function nameOf(name: string): string {
  const shown = oneLine(name);
  return shown.length > longestName ? `${shown.slice(0, longestName - 3)}...` : shown;
}

function milliseconds(value: number | undefined): string {
  if (value === undefined) return '-';
  return value.toFixed(decimalsOf(value));
}

function number(value: number): string {
  return value.toFixed(value < 100 && !Number.isInteger(value) ? 1 : 0);
}

function decimalsOf(value: number): number {
  if (value < 10) return 2;
  return value < 100 ? 1 : 0;
}
