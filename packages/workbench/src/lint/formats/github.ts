import type { LintReport } from '../lint.js';
import type { LintPlace, LintSeverity } from '../rule.js';
import type { DefinitionPlace } from '../sources.js';

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
