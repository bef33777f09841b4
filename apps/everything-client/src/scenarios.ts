import type { Scenario } from './scenario.js';
import { authScenarios } from './scenarios-auth.js';
import { programScenarios } from './scenarios-auth-programs.js';
import { callScenarios } from './scenarios-calls.js';
import { headerScenarios } from './scenarios-headers.js';
import { roundScenarios } from './scenarios-rounds.js';

/** Every scenario this client knows, by the name the suite gives it. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map(
  Object.entries({
    ...callScenarios,
    ...headerScenarios,
    ...roundScenarios,
    ...authScenarios,
    ...programScenarios,
  }),
);
