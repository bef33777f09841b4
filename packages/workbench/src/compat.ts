import { findRevision } from '@tenon/mcp-protocol';
import { type Catalog, emptyCatalog } from './catalog/catalog.js';
import { checkClient } from './compat/check-clients.js';
import type { KnownClient } from './compat/known-client.js';
import { knownClients } from './compat/known-clients.js';
import { bestRow, type Probe, type ProbeOptions, type ProbeRow, probeServer } from './compat/probe.js';
import type { CompatReport, RevisionSummary } from './compat/report.js';
import type { ServerTarget } from './connections/server-target.js';
import { WorkbenchError } from './failures/workbench-error.js';
import { callTools, planCalls } from './lint/calls.js';
import type { LintCall } from './lint/rules/subject.js';

export type { KnownClient } from './compat/known-client.js';
export { knownClients } from './compat/known-clients.js';
export {
  type ClientProblem,
  type ClientReport,
  type CompatArea,
  type CompatReport,
  compatAreas,
  type RevisionSummary,
} from './compat/report.js';

/** Options of {@link compare}. */
interface CompatOptions extends Omit<ProbeOptions, 'onConnected'> {
  /** The words of clients, as in {@link knownClients}; all clients if absent. */
  readonly clients?: readonly string[];
  /** The name under which clients list the server. Default: the name of the target, or of the server info. */
  readonly name?: string;
  /** Calls the read-only tools once, to measure results. Default: false. */
  readonly call?: boolean;
}

/**
 * Connects to a server in each revision over each transport, and compares what it offers with the limits of known clients.
 * @throws WorkbenchError `usage` for an unknown client, and the errors of `probeServer`.
 */
export async function compare(target: ServerTarget, options: CompatOptions): Promise<CompatReport> {
  const { clients: wanted, name, call = false, ...rest } = options;
  const chosen = chosenClients(wanted);
  let calls: readonly LintCall[] | undefined;
  const probe = await probeServer(target, {
    ...rest,
    ...(call && {
      onConnected: async (client, catalog) => {
        if (calls !== undefined) return;
        const { signal } = rest;
        calls = await callTools(client, planCalls(catalog), signal === undefined ? {} : { signal });
      },
    }),
  });
  const catalog = bestRow(probe)?.catalog;
  const { name: serverName = 'server', version = '' } = catalog?.server ?? {};
  const compared = {
    rows: probe.rows,
    catalog: catalog ?? emptyCatalog,
    name: name ?? target.name ?? serverName,
    isNameChosen: (name ?? target.name) !== undefined,
    ...(calls !== undefined && { calls }),
  };
  return {
    server: { name: serverName, version },
    ...(probe.claimed !== undefined && { claimed: probe.claimed }),
    revisions: probe.rows.map(summaryOf),
    problems: ownProblems(probe),
    clients: chosen.map((client) => checkClient(client, compared)),
  };
}

function chosenClients(ids: readonly string[] | undefined): readonly KnownClient[] {
  if (ids === undefined) return knownClients;
  return ids.map((id) => {
    const found = knownClients.find((client) => client.id === id.toLowerCase());
    if (found !== undefined) return found;
    throw new WorkbenchError('usage', `The client "${id}" is not known.`, {
      hint: `The clients are ${knownClients.map((client) => client.id).join(', ')}.`,
    });
  });
}

function summaryOf({ catalog, failures: _, ...row }: ProbeRow): RevisionSummary {
  if (catalog === undefined) return row;
  const { capabilities } = catalog;
  const extensions = Object.keys(capabilities.extensions ?? {});
  return {
    ...row,
    offer: {
      tools: catalog.tools.length,
      resources: catalog.resources.length,
      templates: catalog.resourceTemplates.length,
      prompts: catalog.prompts.length,
      completions: capabilities.completions !== undefined,
      logging: capabilities.logging !== undefined,
      subscribe: capabilities.resources?.subscribe === true,
      tasks: hasTasks(catalog),
      extensions,
    },
  };
}

/** True for the tasks of a revision, where the revision has them, and for the extension. */
function hasTasks({ revision, capabilities }: Catalog): boolean {
  const isInRevision = findRevision(revision)?.requests.client.has('tasks/get') === true;
  if (capabilities.tasks !== undefined && isInRevision) return true;
  return Object.hasOwn(capabilities.extensions ?? {}, 'io.modelcontextprotocol/tasks');
}

function ownProblems({ rows }: Probe): CompatReport['problems'] {
  const failed = rows
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ revision, transport, reason }) => ({
      severity: 'error' as const,
      message: `The server accepts or names ${revision}, but it does not work over ${transport}: ${reason} Repair it, or do not offer the revision.`,
    }));
  const counts = new Set(
    rows.flatMap(({ catalog }) => (catalog === undefined ? [] : [catalog.tools.length])),
  );
  const differ = {
    severity: 'info' as const,
    message: `The number of tools differs between revisions: ${[...counts].join(', ')}.`,
  };
  const broken = [...new Set(rows.flatMap(({ failures = [] }) => failures))].map((failure) => ({
    severity: 'error' as const,
    message: `A declared list cannot be read: ${failure} Implement the list, or do not declare the capability.`,
  }));
  return counts.size > 1 ? [...failed, ...broken, differ] : [...failed, ...broken];
}
