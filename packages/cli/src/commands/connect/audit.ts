import { basename, resolve } from 'node:path';
import { BoundedMap } from '@tenon/foundation';
import type { AuditOutcome, AuditRecord } from '@tenon/mcp-host';
import {
  type AuditReport,
  type ChainEnd,
  FileError,
  type VerifyAuditOptions,
  verifyAudit,
} from '@tenon/mcp-host/node';
import { WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandLine } from '../../context.js';
import { readBytes } from '../../files/files.js';
import type { Style } from '../../terminal/paint.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted, oneLine, printFacts, tableLines } from '../../terminal/texts.js';

/** Options of `tenon audit verify`. */
interface VerifyOptions {
  readonly keyFile?: string;
  readonly anchor?: ChainEnd;
  readonly pruned?: true;
  readonly json?: true;
}

/** Options of `tenon audit show`. */
interface ShowOptions {
  readonly server?: string;
  readonly user?: string;
  readonly outcome?: AuditOutcome;
  readonly last: number;
  readonly json?: true;
}

/** Checks a log, and prints its counts. */
export async function runAuditVerify(line: CommandLine<VerifyOptions>): Promise<void> {
  const { options, terminal } = line;
  const { keyFile, anchor, pruned, json } = options;
  const [file = ''] = line.words;
  const key = keyFile === undefined ? undefined : await keyIn(keyFile, terminal);
  terminal.status(`Reading ${file} ...`);
  const report = await read(file, terminal, {
    ...(key !== undefined && { key }),
    ...(anchor !== undefined && { anchor }),
    ...(pruned !== undefined && { pruned }),
  });
  terminal.clearStatus();
  if (json) terminal.printJson(report);
  else if (report.isIntact) printReport(report, file, terminal);
  requireIntact(report);
}

/** Prints the latest requests of a log, up to the first line that does not fit. */
export async function runAuditShow(line: CommandLine<ShowOptions>): Promise<void> {
  const { options, terminal } = line;
  const [file = ''] = line.words;
  const requests = new LatestRequests(options);
  const onRecord = (record: AuditRecord) => requests.add(record);
  const report = await read(file, terminal, { pruned: true, onRecord });
  const { records } = requests;
  if (options.json) terminal.printJson({ requests: records });
  else if (records.length === 0) terminal.note('The log has no such requests.');
  else for (const text of linesOf(records, terminal)) terminal.print(text);
  requireIntact(report);
}

async function read(file: string, { source }: Terminal, options: VerifyAuditOptions): Promise<AuditReport> {
  try {
    return await verifyAudit(resolve(source.cwd, file), options);
  } catch (error) {
    throw error instanceof FileError
      ? new WorkbenchError('usage', error.message, { cause: error })
      : (error as Error);
  }
}

async function keyIn(file: string, terminal: Terminal): Promise<Uint8Array> {
  const key = await readBytes(file, terminal);
  if (key.length >= 32) return key;
  throw new WorkbenchError('usage', `The file ${file} is not a key: it has fewer than 32 bytes.`);
}

/** @throws WorkbenchError `broken-log` that names the first line that does not fit. */
function requireIntact({ problem, records }: AuditReport): void {
  if (problem === undefined) return;
  throw new WorkbenchError('broken-log', `${problem.file}, line ${problem.line}: ${problem.reason}.`, {
    hint: `The ${counted(records, 'record')} before it fit together. Compare the file with a copy.`,
  });
}

function printReport(report: AuditReport, file: string, terminal: Terminal): void {
  const { paint } = terminal;
  const { records, files, unfinished, recovered, torn, authentication, last } = report;
  const count = `${counted(records, 'record')} in ${counted(files.length, 'file')}`;
  terminal.print(`${paint('green', 'ok')} ${basename(file)}: ${count}, and no line is changed or missing`);
  const facts: (readonly [string, string])[] = [
    ['authentication', authenticationTexts[authentication]],
    ['last line', last === undefined ? '' : `${last.seq}:${last.sha256}`],
  ];
  if (unfinished > 0) facts.unshift(['without an outcome', counted(unfinished, 'request')]);
  if (recovered > 0) facts.push(['after a crash', `${counted(recovered, 'torn line')}, kept and reported`]);
  if (torn > 0) facts.push(['at the end', `${counted(torn, 'byte')} of a line that is not complete`]);
  printFacts(facts, terminal);
}

const authenticationTexts: Readonly<Record<AuditReport['authentication'], string>> = {
  none: 'none: people who can write the files can also replace them',
  unchecked: 'not checked: use --key-file',
  checked: 'checked with the key',
};

/** The latest record of each request that an option selects, the oldest first. */
class LatestRequests {
  readonly #options: ShowOptions;
  readonly #latest: BoundedMap<string, AuditRecord>;

  constructor(options: ShowOptions) {
    this.#options = options;
    this.#latest = new BoundedMap(options.last);
  }

  get records(): readonly AuditRecord[] {
    return [...this.#latest.values()];
  }

  add(record: AuditRecord): void {
    const { server, user, outcome } = this.#options;
    if (server !== undefined && record.server !== server) return;
    if (user !== undefined && record.user !== user) return;
    this.#latest.delete(record.id);
    if (outcome !== undefined && record.outcome !== outcome) return;
    this.#latest.set(record.id, record);
  }
}

const styles: Readonly<Partial<Record<AuditOutcome, Style>>> = {
  done: 'green',
  failed: 'red',
  refused: 'yellow',
  unknown: 'red',
};
/** Characters of an input, and of a reason, that a row has. */
const longest = 60;

/** Returns the requests as aligned lines, with their outcomes in colour. */
function linesOf(records: readonly AuditRecord[], terminal: Terminal): readonly string[] {
  const { paint } = terminal;
  const rows = records.map(({ time, outcome, server, name, input, user, ms, reason }) => [
    cell(outcome).padEnd(longestOutcome),
    timeText(time),
    cell(server),
    cell(input === undefined ? name : `${name} ${JSON.stringify(input)}`),
    cell(user),
    ms === undefined ? '' : cell(`${ms} ms`),
    cell(reason),
  ]);
  const header = ['outcome', 'time', 'server', 'request', 'user', 'took', 'reason'];
  const [first = '', ...lines] = tableLines([header, ...rows], terminal);
  const painted = lines.map((text, at) => {
    const style = styles[records[at]?.outcome ?? 'running'] ?? 'dim';
    return paint(style, text.slice(0, longestOutcome)) + text.slice(longestOutcome);
  });
  return [first, ...painted];
}

const longestOutcome = 'cancelled'.length;

/** Returns a value of a record as one line. The file may have been written by another program. */
function cell(value: unknown): string {
  if (value === undefined) return '';
  const line = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

function timeText(time: unknown): string {
  const date = new Date(typeof time === 'number' ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString().slice(0, 19).replace('T', ' ');
}
