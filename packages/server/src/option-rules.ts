import { isRecord, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { stateRule } from '@tenon/mcp-protocol/internal';
import { requireExtensions } from '@tenon/mcp-session/internal';
import { installation } from './extensions/installation.js';
import type { ServerOptions } from './options.js';

const { anything, callable, flag, object, positive } = optionRules;

const declarable: readonly unknown[] = ['tools', 'prompts', 'resources'];

const rules: { readonly [Name in keyof Required<ServerOptions>]: OptionRule } = {
  instructions: { is: 'a text', allows: (value) => typeof value === 'string' },
  revisions: { is: 'a list of names of revisions', allows: Array.isArray },
  limits: object,
  rates: anything,
  cache: object,
  declare: {
    is: 'a list of "tools", "prompts" and "resources"',
    allows: (value) => Array.isArray(value) && value.every((name) => declarable.includes(name)),
  },
  logging: flag,
  experimental: object,
  extensions: {
    is: 'a list of extensions, such as [defineExtension({ id: "com.example/search", ... })]',
    allows: Array.isArray,
  },
  stateKeys: { is: 'a list of keys', allows: Array.isArray },
  stateLifetime: anything,
  singleUseState: flag,
  state: stateRule,
  keepAlive: object,
  validator: anything,
  onError: callable,
  log: {
    is: 'a function, or a logger with the functions info, warn and error',
    allows: (value) =>
      typeof value === 'function' ||
      (isRecord(value) && ['info', 'warn', 'error'].every((name) => typeof value[name] === 'function')),
  },
  debug: flag,
  onCancelled: callable,
  redact: anything,
  exposeErrors: flag,
  clock: object,
};

/**
 * Rejects options that are misspelt or of the wrong type.
 * @throws TypeError that lists the known options; RangeError if a number is out of range.
 */
export function requireServerOptions(options: ServerOptions): void {
  requireOptions('createServer', options, rules);
  const { cache, extensions = [], keepAlive } = options;
  requireExtensions(extensions, { call: 'createServer', from: '@tenon/mcp-server', mark: installation });
  if (cache) requireOptions('cache', cache, { lists: anything, shared: flag });
  if (keepAlive) requireOptions('keepAlive', keepAlive, { interval: positive });
}
