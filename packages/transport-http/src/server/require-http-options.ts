import { type OptionRule, type OptionRules, optionRules, requireOptions } from '@tenon/foundation';
import type { HttpOptions } from './http-options.js';

// Most are checked where they are used.
const { anything } = optionRules;

const rules: { readonly [Name in keyof Required<HttpOptions>]: OptionRule } = {
  allowedHosts: anything,
  allowedOrigins: anything,
  authenticate: anything,
  clock: anything,
  cors: anything,
  limits: anything,
  onError: anything,
  remoteAddress: anything,
  sessions: {
    is: 'false, or options such as { store, events, jsonOnly }',
    allows: (value) => value === false || typeof value === 'object',
  },
  writeTimeout: anything,
};

const allRules: OptionRules = new Map(Object.entries(rules));

/**
 * Checks that all options are known: a misspelt `authenticate` must not leave a server open.
 * @param more - rules in addition to those of every HTTP server.
 * @throws TypeError that names the option that was meant, or lists all.
 */
export function requireHttpOptions(options: object, more?: Readonly<Record<string, OptionRule>>): void {
  const known = more === undefined ? allRules : new Map([...allRules, ...Object.entries(more)]);
  requireOptions<object>('HTTP server', options, known);
}
