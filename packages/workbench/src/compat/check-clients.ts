import type { Tool } from '@tenon/mcp-client';
import { estimateTokens } from '@tenon/mcp-host/models';
import { revisions as allRevisions } from '@tenon/mcp-protocol';
import type { Catalog } from '../catalog/catalog.js';
import { serverPlace, toolPlace } from '../lint/rules/rule.js';
import type { LintCall } from '../lint/rules/subject.js';
import { checkSchemas } from './check-schemas.js';
import type { ClientFact, KnownClient, NameRule } from './known-client.js';
import type { ProbeRow } from './probe.js';
import { type ClientProblem, type ClientReport, type CompatArea, compatAreas } from './report.js';

/** The server that clients are compared with. */
interface ComparedServer {
  readonly rows: readonly ProbeRow[];
  readonly catalog: Catalog;
  /** The name under which clients list the server: part of the names of tools. */
  readonly name: string;
  /** False if the name is only that of the server info: the user gives the name in the configuration of a client. */
  readonly isNameChosen: boolean;
  /** Calls that were made, to measure results. */
  readonly calls?: readonly LintCall[];
}

type Found = Pick<ClientProblem, 'severity' | 'place' | 'message'>;
type Check = (client: KnownClient, server: ComparedServer) => readonly ClientProblem[] | 'unknown';

/** Compares a server with a client. */
export function checkClient(client: KnownClient, server: ComparedServer): ClientReport {
  const found = compatAreas.map((area) => [area, checks[area](client, server)] as const);
  return {
    id: client.id,
    name: client.name,
    areas: Object.fromEntries(
      found.map(([area, result]) => [area, result === 'unknown' ? result : result.length]),
    ) as ClientReport['areas'],
    problems: found.flatMap(([, result]) => (result === 'unknown' ? [] : result)),
  };
}

const checks: Readonly<Record<CompatArea, Check>> = {
  transport: ({ transports }, { rows }) =>
    checkFact('transport', transports, (known) => {
      const working = rows.filter(({ outcome }) => outcome === 'works').map(({ transport }) => transport);
      if (working.some((transport) => known.includes(transport))) return [];
      const isCommand = rows.some(({ transport }) => transport === 'stdio');
      if (isCommand)
        return [
          {
            severity: 'info',
            place: serverPlace,
            message: 'Servers are reached by URL only. Serve it over Streamable HTTP for this client.',
          },
        ];
      const message =
        working.length === 0
          ? 'The server works over none of its transports.'
          : 'The server speaks HTTP+SSE only. Serve it over Streamable HTTP too.';
      return [{ severity: 'error', place: serverPlace, message }];
    }),
  revision: ({ revisions, transports }, { rows }) =>
    checkFact('revision', revisions, (known) => {
      const spoken =
        known === 'handshake' ? allRevisions.filter(({ lifecycle }) => lifecycle === known) : known;
      const ids = new Set(spoken.map(({ id }) => id));
      const usable = rows.filter(
        ({ transport }) => transports === undefined || transports.value.includes(transport),
      );
      if (usable.length === 0 || usable.some((row) => row.outcome === 'works' && ids.has(row.revision)))
        return [];
      const message = `The server speaks none of the revisions ${[...ids].join(', ')}. Support one of them.`;
      return [{ severity: 'error', place: serverPlace, message }];
    }),
  names: ({ names }, server) => checkFact('names', names, (rule) => nameProblems(rule, server)),
  tools: ({ tools }, { catalog }) =>
    checkFact('tools', tools, ({ most, effect }) => {
      const { length } = catalog.tools;
      if (length <= most) return [];
      const [severity, limit] = toolLimits[effect];
      const message = `The server has ${length} tools, and ${most} of all servers together ${limit}. Offer fewer, or let users choose groups.`;
      return [{ severity, place: serverPlace, message }];
    }),
  schemas: ({ schemas }, { catalog }) =>
    schemas === undefined
      ? 'unknown'
      : schemas.flatMap(
          (fact) => checkFact('schemas', fact, (check) => checkSchemas(check, catalog)) as ClientProblem[],
        ),
  texts: ({ description }, { catalog }) =>
    checkFact('texts', description, (most) =>
      catalog.tools.flatMap((tool): Found[] => {
        const { length } = tool.description ?? '';
        const message = `The description has ${length} characters, and ${most} are allowed. Shorten it.`;
        return length <= most ? [] : [{ severity: 'error', place: toolPlace(tool), message }];
      }),
    ),
  results: ({ resultTokens }, { calls }) =>
    calls === undefined
      ? 'unknown'
      : checkFact('results', resultTokens, (most) =>
          calls.flatMap(({ tool, result }): Found[] => {
            const tokens = estimateTokens(result?.content.map(({ text = '' }) => text).join('') ?? '');
            const message = `The result has about ${tokens} tokens, and ${most} are allowed. Return less, with pages or a filter.`;
            return tokens <= most
              ? []
              : [{ severity: 'warning', place: { kind: 'tool', name: tool }, message }];
          }),
        ),
  features: ({ features }, { catalog }) =>
    checkFact('features', features, ({ resources, prompts }) => {
      const lost: Found[] = [];
      const { length } = catalog.resources;
      if (resources === false && length + catalog.resourceTemplates.length > 0)
        lost.push(unused('resources', length + catalog.resourceTemplates.length));
      if (prompts === false && catalog.prompts.length > 0)
        lost.push(unused('prompts', catalog.prompts.length));
      return lost;
    }),
};

function unused(feature: string, count: number): Found {
  const message = `Users cannot reach the ${feature} of the server (${count}). Offer a tool for what they need.`;
  return { severity: 'info', place: serverPlace, message };
}

function checkFact<Value>(
  area: CompatArea,
  fact: ClientFact<Value> | undefined,
  check: (value: Value) => readonly Found[],
): readonly ClientProblem[] | 'unknown' {
  if (fact === undefined) return 'unknown';
  const { value, source, date, isReport } = fact;
  return check(value).map((found) => ({
    ...{ area, ...found, source, date },
    severity: isReport ? lowered[found.severity] : found.severity,
  }));
}

/** The severities of problems that follow from a report. */
const lowered = { error: 'warning', warning: 'info', info: 'info' } as const;

const toolLimits = {
  refused: ['error', 'are allowed'],
  grouped: ['warning', 'are shown to the model at once: it has to open groups for the others'],
} as const;

const effects: Readonly<Record<NameRule['effect'], string>> = {
  renamed: 'the tool gets another name',
  missing: 'the tool is left out',
  'all-missing': 'no tool of the server is shown',
  'request-fails': 'requests to some models fail',
};

function nameProblems(rule: NameRule, server: ComparedServer): readonly Found[] {
  const severity = rule.effect === 'renamed' ? 'warning' : 'error';
  return server.catalog.tools.flatMap((tool): Found[] => [
    ...(rule.characters?.test(tool.name) === false
      ? [{ severity, place: toolPlace(tool), message: characterText(rule) } as const]
      : []),
    ...lengthProblem(rule, tool, server),
  ]);
}

function characterText({ effect }: NameRule): string {
  return `Because of characters in the name ${effects[effect]}. Use letters, digits, "_" and "-".`;
}

function lengthProblem(rule: NameRule, tool: Tool, { name, isNameChosen }: ComparedServer): readonly Found[] {
  const most = rule.length ?? Number.POSITIVE_INFINITY;
  const prefix = rule.prefix.replace('{server}', name);
  const length = prefix.length + tool.name.length;
  if (length <= most) return [];
  const added = prefix === '' ? '' : ` with "${prefix}"`;
  const message = `The name has ${length} characters${added}, and ${most} are allowed: ${effects[rule.effect]}. Shorten it by ${length - most}`;
  if (prefix === rule.prefix || isNameChosen) {
    const severity = rule.effect === 'renamed' ? 'warning' : 'error';
    return [{ severity, place: toolPlace(tool), message: `${message}.` }];
  }
  // Without a name in the configuration, the problem depends on the name that users choose.
  const isSure = rule.prefix.replace('{server}', '').length + tool.name.length >= most;
  const hint = `${message}, or choose a shorter name for the server (--name compares with it).`;
  return [
    {
      severity: isSure && rule.effect !== 'renamed' ? 'error' : 'info',
      place: toolPlace(tool),
      message: hint,
    },
  ];
}
