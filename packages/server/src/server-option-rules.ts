import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { ServerOptions } from './options.js';

const { callable, flag, object, positive } = optionRules;

/** For what is looked at more closely where it is used. */
const anything: OptionRule = { is: 'anything', allows: () => true };

const rules: { readonly [Name in keyof Required<ServerOptions>]: OptionRule } = {
  instructions: { is: 'a text', allows: (value) => typeof value === 'string' },
  revisions: { is: 'a list of names of revisions', allows: Array.isArray },
  limits: object,
  rates: anything,
  cache: object,
  declare: { is: 'a list of features', allows: Array.isArray },
  logging: flag,
  experimental: object,
  extensions: {
    is: 'a list of extensions, such as [defineExtension({ id: "com.example/search", ... })]',
    allows: (value) => Array.isArray(value) && value.every((one) => typeof one?.id === 'string'),
  },
  stateKeys: { is: 'a list of keys', allows: Array.isArray },
  stateLifetime: anything,
  stateReplays: object,
  keepAlive: object,
  validator: anything,
  onError: callable,
  onCancelled: callable,
  redact: anything,
  exposeErrors: flag,
  clock: object,
};

/**
 * Refuses options that are misspelt or of the wrong type.
 * @throws TypeError that names the options there are; RangeError for a number that is out of range.
 */
export function requireServerOptions(options: ServerOptions): void {
  requireOptions('createServer', options, rules);
  const { cache, keepAlive } = options;
  if (cache) requireOptions('cache', cache, { lists: anything, shared: flag });
  if (keepAlive) requireOptions('keepAlive', keepAlive, { interval: positive, failures: positive });
}
