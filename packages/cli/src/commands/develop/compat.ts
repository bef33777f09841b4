import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  type ClientProblem,
  type ClientReport,
  type CompatArea,
  type CompatReport,
  compare,
  compatAreas,
  type KnownClient,
  knownClients,
  type RevisionSummary,
} from '@tenon/mcp-workbench/compat';
import { clientInfo } from '../../context.js';
import { chosenServer } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withSignIn } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printDetail, printFinding, shortName, tableLines } from '../../terminal/texts.js';

/** The options of `tenon compat`. */
interface CompatCommandOptions extends ServerOptions {
  readonly client?: readonly string[];
  readonly name?: string;
  /** The URL of HTTP+SSE, if it is not that of Streamable HTTP. */
  readonly sse?: string;
  readonly call?: true;
  readonly failOn: 'error' | 'warning' | 'never';
  readonly notes?: true;
  readonly sources?: true;
  readonly clients?: true;
}

/** Seconds that a server may be silent in each attempt, unless --timeout says otherwise: there are up to nine of them. */
const patience = 15;

type CompatLine = ServerLine<CompatCommandOptions>;

/**
 * Tries a server in all revisions, compares it with known clients, and prints the result.
 * @throws WorkbenchError `findings` if there are problems of the severity that fails.
 */
export async function runCompat(line: CompatLine): Promise<void> {
  const { options, terminal, signal } = line;
  if (options.clients === true) {
    if (options.json === true) terminal.printJson(knownClients.map(withoutObjects));
    else printClients(knownClients, terminal);
    return;
  }
  const { target } = await chosenServer(line.words, options, line);
  const report = await withSignIn(target, line, (auth) =>
    compare(target, {
      ...{ info: clientInfo(), auth, signal, call: options.call === true },
      limits: { requestTimeout: (options.timeout ?? patience) * 1_000 },
      ...(options.client !== undefined && { clients: options.client }),
      ...(options.name !== undefined && { name: options.name }),
      ...(options.sse !== undefined && { sseUrl: options.sse }),
      onAttempt: (revision, transport) => terminal.status(`Trying ${revision} over ${transport} ...`),
    }),
  );
  terminal.clearStatus();
  if (options.json === true) terminal.printJson(report);
  else printCompat(report, { terminal, notes: options.notes === true, sources: options.sources === true });
  failIfNeeded(report, options.failOn);
}

/** Revisions are objects with tables; JSON has their names, and patterns as texts. */
function withoutObjects(client: (typeof knownClients)[number]): unknown {
  const { revisions, names, ...rest } = client;
  return {
    ...rest,
    ...(revisions !== undefined && {
      revisions: {
        ...revisions,
        value: revisions.value === 'handshake' ? revisions.value : revisions.value.map(({ id }) => id),
      },
    }),
    ...(names !== undefined && {
      names: { ...names, value: { ...names.value, characters: names.value.characters?.source } },
    }),
  };
}

function failIfNeeded({ clients, problems }: CompatReport, failOn: CompatCommandOptions['failOn']): void {
  if (failOn === 'never') return;
  const all = [...problems, ...clients.flatMap((client) => client.problems)];
  const errors = all.filter(({ severity }) => severity === 'error').length;
  const warnings = all.filter(({ severity }) => severity === 'warning').length;
  if (errors === 0 && (failOn === 'error' || warnings === 0)) return;
  const failing = clients.filter((client) =>
    client.problems.some(
      ({ severity }) => severity === 'error' || (failOn === 'warning' && severity === 'warning'),
    ),
  );
  const names = failing.map(({ name }) => name).join(', ');
  throw new WorkbenchError(
    'findings',
    names === '' ? 'The server has problems of its own.' : `The server does not fit ${names}.`,
  );
}

/** The amount of text to print. */
interface CompatPrinting {
  readonly terminal: Terminal;
  readonly notes: boolean;
  readonly sources: boolean;
}

/** Prints a comparison for people: revisions, clients, then the problems with the clients that have them. */
function printCompat(report: CompatReport, printing: CompatPrinting): void {
  const { terminal } = printing;
  const { name, version } = report.server;
  terminal.print(terminal.paint('bold', shortName(`${name} ${version}`.trim())));
  for (const transport of new Set(report.revisions.map((row) => row.transport))) {
    terminal.print('');
    const rows = report.revisions.filter((row) => row.transport === transport);
    if (rows.every(({ outcome }) => outcome === 'no')) terminal.print(`over ${transport}: not offered`);
    else printTable(revisionTable(rows, transport), terminal);
  }
  printReasons(report, printing);
  terminal.print('');
  const rows = clientTable(report);
  printTable(rows, terminal);
  const notes = rows.some((row) => row.includes('note')) ? ' --notes prints notes;' : '';
  terminal.print(terminal.paint('dim', `A number counts problems;${notes} ? means that nothing is known.`));
  printProblems(report, printing);
}

type Offer = NonNullable<RevisionSummary['offer']>;

/** The rows of the table of revisions. */
const offered: readonly (readonly [label: string, pick: (offer: Offer) => number | boolean])[] = [
  ['tools', ({ tools }) => tools],
  ['resources', ({ resources }) => resources],
  ['templates', ({ templates }) => templates],
  ['prompts', ({ prompts }) => prompts],
  ['completion', ({ completions }) => completions],
  ['logging', ({ logging }) => logging],
  ['subscriptions', ({ subscribe }) => subscribe],
  ['tasks', ({ tasks }) => tasks],
  ['extensions', ({ extensions }) => extensions.length],
];

function revisionTable(rows: readonly RevisionSummary[], transport: string): readonly (readonly string[])[] {
  const words = { works: 'yes', no: 'no', failed: 'failed' };
  return [
    [`over ${transport}`, ...rows.map(({ revision }) => revision)],
    ['connect', ...rows.map(({ outcome }) => words[outcome])],
    ...offered.map(([label, pick]) => [
      label,
      ...rows.map(({ offer }) => (offer === undefined ? '' : cellOf(pick(offer)))),
    ]),
  ];
}

function cellOf(value: number | boolean): string {
  if (value === true) return 'yes';
  return value === false || value === 0 ? '-' : String(value);
}

function printReasons({ revisions, problems }: CompatReport, { terminal, notes }: CompatPrinting): void {
  const shown = problems.filter(({ severity }) => notes || severity !== 'info');
  if (shown.length > 0) terminal.print('');
  for (const { severity, message } of shown) printFinding(severity, message, terminal);
  const refused = revisions.filter(({ outcome }) => outcome === 'no');
  if (!notes || refused.length === 0) return;
  terminal.print('');
  for (const { revision, transport, reason = '' } of refused)
    printFinding('info', `${revision} over ${transport}: ${reason}`, terminal);
}

function clientTable({ clients }: CompatReport): readonly (readonly string[])[] {
  // Results are measured with --call only.
  const shown = compatAreas.filter(
    (area) => area !== 'results' || clients.some((client) => client.areas.results !== 'unknown'),
  );
  return [
    ['client', ...shown],
    ...clients.map((client) => [client.name, ...shown.map((area) => areaCell(client, area))]),
  ];
}

function areaCell({ areas: found, problems }: ClientReport, area: CompatArea): string {
  if (found[area] === 'unknown') return '?';
  const serious = problems.filter((problem) => problem.area === area && problem.severity !== 'info');
  if (serious.length > 0) return String(serious.length);
  return found[area] === 0 ? 'ok' : 'note';
}

function printTable(rows: readonly (readonly string[])[], terminal: Terminal): void {
  for (const line of tableLines(rows, terminal)) terminal.print(line);
}

/** A problem of several clients. */
interface SharedProblem {
  readonly problem: ClientProblem;
  readonly clients: string[];
  readonly sources: Set<string>;
}

/** Prints each problem once, with the clients that have it and the entries that it is about. */
function printProblems(report: CompatReport, { terminal, notes, sources }: CompatPrinting): void {
  const groups = new Map<string, SharedProblem[]>();
  for (const shared of sharedProblems(report, notes)) {
    const { problem, clients } = shared;
    const key = JSON.stringify([problem.severity, problem.message, clients]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [shared]);
    else group.push(shared);
  }
  for (const group of [...groups.values()].slice(0, mostProblems)) {
    const [first] = group;
    if (first === undefined) continue;
    const { problem, clients } = first;
    const { kind, name } = problem.place;
    const entry = name === '' ? kind : `${kind} ${shortName(name)}`;
    const heading = group.length === 1 ? entry : `${group.length} ${kind}s`;
    terminal.print('');
    terminal.print(`${terminal.paint('bold', heading)}: ${clients.join(', ')}`);
    printFinding(problem.severity, problem.message, terminal);
    if (group.length > 1) printDetail(namesOf(group), terminal);
    if (sources) for (const source of first.sources) printDetail(source, terminal);
  }
  const more = groups.size - mostProblems;
  if (more > 0) terminal.print(`\n... and ${more} more problems; --json has them all.`);
}

function sharedProblems({ clients }: CompatReport, notes: boolean): Iterable<SharedProblem> {
  const shared = new Map<string, SharedProblem>();
  for (const { name, problems } of clients)
    for (const problem of problems) {
      if (problem.severity === 'info' && !notes) continue;
      const key = JSON.stringify([problem.severity, problem.place, problem.message]);
      const known = shared.get(key) ?? { problem, clients: [], sources: new Set() };
      known.clients.push(name);
      known.sources.add(`${problem.source} (${problem.date})`);
      shared.set(key, known);
    }
  return shared.values();
}

function namesOf(group: readonly SharedProblem[]): string {
  const names = group.slice(0, mostNames).map(({ problem }) => shortName(problem.place.name));
  return group.length > mostNames
    ? `${names.join(', ')} and ${group.length - mostNames} more`
    : names.join(', ');
}

const mostNames = 30;
const mostProblems = 50;
/** Prints the known clients with their limits; `?` where nothing is known. */
function printClients(clients: readonly KnownClient[], terminal: Terminal): void {
  const head = ['id', 'client', 'transports', 'newest', 'name', 'tools', 'text', 'checks'];
  const rows = clients.map((client) => {
    const { names } = client;
    const length = names?.value.length;
    const prefix = (names?.value.prefix ?? '') === '' ? '' : ' with prefix';
    return [
      ...[client.id, client.name, client.transports?.value.join(' ') ?? '?'],
      newestOf(client),
      length === undefined ? '?' : `${length}${prefix}`,
      ...[String(client.tools?.value.most ?? '?'), String(client.description?.value ?? '?')],
      client.schemas === undefined ? '?' : String(client.schemas.length),
    ];
  });
  printTable([head, ...rows], terminal);
}

function newestOf({ revisions }: KnownClient): string {
  if (revisions === undefined) return '?';
  return revisions.value === 'handshake' ? 'handshake' : (revisions.value[0]?.id ?? '?');
}
