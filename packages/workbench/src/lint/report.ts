import { rules } from './rules/all.js';
import type { LintFinding, LintPlace, LintSeverity } from './rules/rule.js';

/** Estimated tokens of the definition of a tool. */
interface ToolCost {
  readonly tool: string;
  readonly tokens: number;
}

/** The outcome of a check of a server. */
export interface LintReport {
  readonly server: { readonly name: string; readonly version: string; readonly revision: string };
  readonly counts: {
    readonly tools: number;
    readonly prompts: number;
    readonly resources: number;
    readonly templates: number;
  };
  /** Estimated tokens of all tools. */
  readonly tokens: number;
  /** The estimated tokens of each tool, the largest first. */
  readonly costs: readonly ToolCost[];
  /** In the order of the server's entries; at most 1,000 of each rule. */
  readonly findings: readonly LintFinding[];
  /** The number of findings that are not in the list because there were too many, by rule. */
  readonly omitted: Readonly<Record<string, number>>;
}

const commands: Readonly<Record<LintSeverity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/**
 * Returns the findings as workflow commands of GitHub Actions, one for each line.
 * @see https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export function toGithub(
  { findings }: LintReport,
  placeOf?: (place: LintPlace) => DefinitionPlace,
): readonly string[] {
  return findings.map(({ rule, severity, place, pointer, message }) => {
    const source = placeOf?.(place);
    const entry = place.name === '' ? place.kind : `${place.kind} ${place.name}`;
    const properties = {
      ...(source !== undefined && { file: source.file, line: String(source.line) }),
      title: `${rule}: ${entry}${pointer}`,
    };
    const list = Object.entries(properties).map(([key, value]) => `${key}=${escaped(value, true)}`);
    return `::${commands[severity]} ${list.join(',')}::${escaped(message, false)}`;
  });
}

function escaped(text: string, isProperty: boolean): string {
  const data = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return isProperty ? data.replaceAll(':', '%3A').replaceAll(',', '%2C') : data;
}

/** A place in a source file; lines begin at 1. */
interface DefinitionPlace {
  readonly file: string;
  readonly line: number;
}

/**
 * Returns a function that finds the line of a file that defines an entry: the first one with its name as a string. Without such
 * a line it returns the first line.
 */
export function sourceFinder(file: string, text: string): (place: LintPlace) => DefinitionPlace {
  const lines = text.split('\n');
  const known = new Map<string, number>();
  return ({ name }) => {
    let line = known.get(name);
    if (line === undefined) {
      const literals = ["'", '"', '`'].map((quote) => `${quote}${name}${quote}`);
      const found =
        name === '' ? -1 : lines.findIndex((one) => literals.some((literal) => one.includes(literal)));
      line = found === -1 ? 1 : found + 1;
      known.set(name, line);
    }
    return { file, line };
  };
}

/** The program that wrote a log, and the places of entries in source files if they are known. */
interface SarifOptions {
  /** The version of the program. */
  readonly version: string;
  readonly placeOf?: (place: LintPlace) => DefinitionPlace;
}

const levels: Readonly<Record<LintSeverity, string>> = { error: 'error', warning: 'warning', info: 'note' };
const documentation = 'https://github.com/tenon-mcp/tenon/blob/main/docs/guide/tools/lint.md';

/**
 * Returns a report as a SARIF 2.1.0 log.
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function toSarif({ findings, server }: LintReport, { version, placeOf }: SarifOptions): object {
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'tenon lint',
            version,
            informationUri: documentation,
            rules: rules.map(({ id, severity, about }) => ({
              id,
              shortDescription: { text: about },
              helpUri: `${documentation}#rules`,
              defaultConfiguration: { level: levels[severity] },
            })),
          },
        },
        properties: { server },
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: indices.get(finding.rule) ?? -1,
          level: levels[finding.severity],
          message: { text: finding.message },
          locations: [locationOf(finding, server.name, placeOf)],
        })),
      },
    ],
  };
}

function locationOf(
  { place, pointer }: LintFinding,
  server: string,
  placeOf: SarifOptions['placeOf'],
): object {
  const path = place.name === '' ? server : `${server}/${place.kind}/${place.name}`;
  const logical = { name: place.name || server, fullyQualifiedName: `${path}${pointer}`, kind: 'object' };
  if (placeOf === undefined) return { logicalLocations: [logical] };
  const { file, line } = placeOf(place);
  return {
    physicalLocation: {
      artifactLocation: { uri: file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/') },
      region: { startLine: line },
    },
    logicalLocations: [logical],
  };
}
