import { WorkbenchError } from '@tenon/mcp-workbench';
import { type CompatReport, compare, knownClients } from '@tenon/mcp-workbench/compat';
import { chosenServer } from '../../server/chosen-server.js';
import type { ServerLine } from '../../server/with-client.js';
import { withSignIn } from '../../server/with-sign-in.js';
import { clientInfo } from '../../version.js';
import type { CompatCommandOptions } from './compat-options.js';
import { printClients, printCompat } from './compat-text.js';

/** Seconds that a server may be silent in each attempt, unless --timeout says otherwise: there are up to nine of them. */
const patience = 15;

/** The line of `tenon compat`. */
export interface CompatLine extends ServerLine {
  readonly options: CompatCommandOptions;
}

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
