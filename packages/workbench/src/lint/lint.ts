import type { Catalog } from '../catalog/catalog.js';
import { entriesOf } from './entries.js';
import { defaultLintLimits, type LintLimits } from './limits.js';
import type { LintFinding, LintRule, LintSeverity } from './rule.js';
import { rules } from './rules/all.js';
import type { LintSubject } from './subject.js';
import { toolTokens } from './tokens.js';

/** Options of {@link lint}. */
export interface LintOptions {
  /** The severities of rules by id; `off` leaves a rule out. */
  readonly severities?: Readonly<Record<string, LintSeverity | 'off'>>;
  readonly limits?: Partial<LintLimits>;
}

/** Estimated tokens of the definition of a tool. */
export interface ToolCost {
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
  /** In the order of the server's entries; at most {@link mostFindings} of each rule. */
  readonly findings: readonly LintFinding[];
  /** The number of findings that are not in the list because there were too many, by rule. */
  readonly omitted: Readonly<Record<string, number>>;
}

/** The most findings of one rule in a report. */
export const mostFindings = 1_000;

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

/** Returns the rule of an id. */
export function findRule(id: string): LintRule | undefined {
  return rules.find((rule) => rule.id === id);
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
