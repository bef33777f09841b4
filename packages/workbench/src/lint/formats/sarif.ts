import type { LintReport } from '../lint.js';
import type { LintFinding, LintPlace, LintSeverity } from '../rule.js';
import { rules } from '../rules/all.js';
import type { DefinitionPlace } from '../sources.js';

/** The program that wrote a log, and the places of entries in source files if they are known. */
export interface SarifOptions {
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
