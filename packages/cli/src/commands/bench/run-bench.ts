import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject } from '@tenon/mcp-client';
import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  compareLoads,
  type LoadCall,
  type LoadReport,
  measureLoad,
  readLoadCalls,
  readLoadReport,
} from '@tenon/mcp-workbench/load';
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
  const { target, words } = await chosenServer(line.words, options, line);
  const calls = await callsOf(words, line);
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

async function callsOf(words: readonly string[], line: BenchLine): Promise<readonly LoadCall[] | undefined> {
  const { args, calls } = line.options;
  const [tool, ...pairs] = words;
  if (calls !== undefined) {
    if (tool !== undefined || args !== undefined)
      throw new WorkbenchError('usage', 'Give either a tool, or --calls FILE.');
    return readLoadCalls(await jsonFile(calls, line), calls);
  }
  if (tool === undefined) {
    if (args === undefined) return undefined;
    throw new WorkbenchError('usage', '--args needs the name of a tool before it.');
  }
  const given = { ...objectOf(args), ...Object.fromEntries(pairs.map(pairOf)) };
  return [{ tool, ...(Object.keys(given).length > 0 && { arguments: given }) }];
}

function objectOf(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  const value = parsed(text, '--args');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new WorkbenchError('usage', '--args must be a JSON object, such as {"q":"tea"}.');
}

/** Reads `name=value`: a value that is JSON counts as JSON, any other as text. */
function pairOf(text: string): readonly [string, JsonObject[string]] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new WorkbenchError('usage', `"${text}" is no argument.`, {
      hint: 'Arguments are written name=value.',
    });
  try {
    return [name, JSON.parse(value) as JsonObject[string]];
  } catch {
    return [name, value];
  }
}

async function storedReport(file: string, line: BenchLine): Promise<LoadReport> {
  return readLoadReport(await jsonFile(file, line), file);
}

async function jsonFile(file: string, { terminal }: BenchLine): Promise<unknown> {
  const text = await readFile(resolve(terminal.source.cwd, file), 'utf8').catch((cause: unknown) => {
    throw new WorkbenchError('usage', `The file ${file} cannot be read.`, { cause });
  });
  return parsed(text, file);
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(source, error);
  }
}

function notJson(source: string, cause: unknown): WorkbenchError {
  return new WorkbenchError('usage', `${source} is not JSON: ${(cause as Error).message}`, { cause });
}
