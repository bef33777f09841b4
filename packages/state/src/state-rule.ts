import { isRecord, type OptionRule } from '@tenon/foundation';

/** The rule of options that accept a {@link State}. */
export const stateRule: OptionRule = {
  is: 'shared state, such as redisState(url) of @tenon/mcp-state-redis',
  allows: (value) => isRecord(value) && 'kv' in value && 'bus' in value,
};
