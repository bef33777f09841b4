import { authScenarios } from './auth.js';
import { programScenarios } from './auth-programs.js';
import { callScenarios } from './calls.js';
import { headerScenarios } from './headers.js';
import { roundScenarios } from './rounds.js';
import type { Scenario } from './scenario.js';
import { skillScenarios } from './skills.js';
import { taskScenarios } from './tasks.js';

/** All scenarios of this client, by the suite's names. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map(
  Object.entries({
    ...callScenarios,
    ...headerScenarios,
    ...roundScenarios,
    ...authScenarios,
    ...programScenarios,
    ...skillScenarios,
    ...taskScenarios,
  }),
);
