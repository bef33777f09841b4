import type { Catalog } from './catalog/catalog.js';
import type { LintOptions } from './lint/config.js';
import type { LintReport } from './lint/report.js';
import { rules } from './lint/rules/all.js';
import { toolTokens } from './lint/rules/costs.js';
import { defaultLintLimits, entriesOf, type LintFinding, type LintSeverity } from './lint/rules/rule.js';
import type { LintSubject } from './lint/rules/subject.js';

export { callTools, planCalls } from './lint/calls.js';
export { checkLimit, checkSeverity, type LintConfig, lintConfig } from './lint/config.js';
export { Deviations, readSubject } from './lint/read-subject.js';
export { type LintReport, sourceFinder, toGithub, toSarif } from './lint/report.js';
export { findRule, rules as lintRules } from './lint/rules/all.js';
export type { LintFinding, LintRule, LintSeverity } from './lint/rules/rule.js';
export type { LintSubject } from './lint/rules/subject.js';

/** The most findings of one rule in a report. */
const mostFindings = 1_000;

/** Checks a server by all rules. It asks the server nothing. */
export function lint(subject: LintSubject, { severities = {}, limits = {} }: LintOptions = {}): LintReport {
  const { catalog } = subject;
  const thresholds = { ...defaultLintLimits, ...limits };
  const findings: LintFinding[] = [];
  const omitted: Record<string, number> = {};
  for (const rule of rules) {
    const severity = severities[rule.id] ?? rule.severity;
    if (severity === 'off') continue;
    let count = 0;
    for (const problem of rule.check(subject, thresholds)) {
      if (++count <= mostFindings) findings.push({ rule: rule.id, severity, ...problem });
      else omitted[rule.id] = count - mostFindings;
    }
  }
  const costs = catalog.tools.map((tool) => ({ tool: tool.name, tokens: toolTokens(tool) }));
  costs.sort((one, other) => other.tokens - one.tokens);
  const { name = 'unknown server', version = '' } = catalog.server ?? {};
  return {
    server: { name, version, revision: catalog.revision },
    counts: {
      tools: catalog.tools.length,
      prompts: catalog.prompts.length,
      resources: catalog.resources.length,
      templates: catalog.resourceTemplates.length,
    },
    tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
    costs,
    findings: inOrder(findings, catalog),
    omitted,
  };
}

const weights: Readonly<Record<LintSeverity, number>> = { error: 0, warning: 1, info: 2 };

/** Groups findings by entry, in the order of the server; the errors of an entry come first. */
function inOrder(findings: readonly LintFinding[], catalog: Catalog): readonly LintFinding[] {
  const groups = new Map<string, LintFinding[]>([['server ', []]]);
  for (const method of ['tools', 'prompts', 'resources', 'resources/templates'])
    groups.set(`list ${method}/list`, []);
  for (const { place } of entriesOf(catalog)) groups.set(`${place.kind} ${place.name}`, []);
  for (const finding of findings) {
    const key = `${finding.place.kind} ${finding.place.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].flatMap((group) =>
    group.sort((one, other) => weights[one.severity] - weights[other.severity]),
  );
}
