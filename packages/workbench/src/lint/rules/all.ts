import { annotationRules } from './annotations.js';
import { costRules } from './costs.js';
import { descriptionRules } from './descriptions.js';
import { exampleRule } from './examples.js';
import { listRules } from './lists.js';
import { nameRules } from './names.js';
import { outputRules } from './outputs.js';
import { parameterRules } from './parameters.js';
import { portabilityRules } from './portability.js';
import { promptRules } from './prompts.js';
import { resourceRules } from './resources.js';
import type { LintRule } from './rule.js';
import { schemaRules } from './schemas.js';
import { serverRules } from './server.js';
import { suspiciousTextRules } from './suspicious-texts.js';

/** All rules, in the order of the documentation. */
export const rules: readonly LintRule[] = [
  ...serverRules,
  ...listRules,
  ...nameRules,
  ...descriptionRules,
  ...suspiciousTextRules,
  ...parameterRules,
  ...schemaRules,
  exampleRule,
  ...portabilityRules,
  ...annotationRules,
  ...outputRules,
  ...costRules,
  ...resourceRules,
  ...promptRules,
];

/** Returns the rule of an id. */
export function findRule(id: string): LintRule | undefined {
  return rules.find((rule) => rule.id === id);
}
