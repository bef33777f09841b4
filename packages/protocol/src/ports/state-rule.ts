import { isRecord, type OptionRule } from '@tenon/foundation';

/** The rule of options that accept a `State` of `@tenon/mcp-state`, which is loaded only where it is used. */
export const stateRule: OptionRule = {
  is: 'shared state, such as redisState(url) of @tenon/mcp-state-redis',
  allows: (value) => isRecord(value) && 'kv' in value && 'bus' in value,
};
