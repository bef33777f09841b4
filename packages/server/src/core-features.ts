import type { Definition } from './context/definition.js';
import { logging } from './context/logging.js';
import type { ServerFeature } from './core/feature.js';
import { completion } from './features/completion.js';
import type { Prompts } from './features/prompts.js';
import type { Resources } from './features/resources/resources.js';
import { subscriptions } from './features/resources/subscriptions.js';
import type { Tools } from './features/tools.js';
import { lifecycle } from './lifecycle.js';

/** The entries of one server, by type. */
export interface Entries {
  readonly tools: Tools;
  readonly prompts: Prompts;
  readonly resources: Resources;
}

/** The features of the core protocol. */
export function coreFeatures(
  definition: Definition,
  { tools, prompts, resources }: Entries,
  { withLogging }: { readonly withLogging: boolean },
): readonly ServerFeature[] {
  return [
    lifecycle(definition),
    tools.feature,
    prompts.feature,
    resources.feature,
    completion(definition, prompts, resources),
    subscriptions(definition, resources),
    ...(withLogging ? [logging] : []),
  ];
}
