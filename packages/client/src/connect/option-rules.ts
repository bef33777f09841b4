import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { logLevels } from '@tenon/mcp-protocol';
import { requireExtensions } from '@tenon/mcp-session/internal';
import { installation } from '../extensions/installation.js';
import type { ReconnectPolicy } from '../session/reconnect-policy.js';
import type { ClientOptions } from './options.js';

const { anything, callable, flag, notNegative, object, positive, text } = optionRules;

const rules: { readonly [Name in keyof Required<ClientOptions>]: OptionRule } = {
  info: object,
  revision: anything,
  revisions: { is: 'a list of names of revisions', allows: Array.isArray },
  onElicit: callable,
  onElicitUrl: callable,
  onElicitComplete: callable,
  onSample: callable,
  roots: anything,
  onLog: callable,
  redact: anything,
  logLevel: { is: `one of ${logLevels.join(', ')}`, allows: (value) => logLevels.includes(value as never) },
  capabilities: object,
  extensions: { is: 'a list of extensions', allows: Array.isArray },
  middleware: {
    is: 'a list of functions',
    allows: (value) => Array.isArray(value) && value.every(callable.allows),
  },
  onState: callable,
  onError: callable,
  debug: flag,
  onCancelled: callable,
  signal: { is: 'an AbortSignal', allows: (value) => has(value, ['addEventListener']) },
  probeTimeout: positive,
  connectTimeout: positive,
  reconnect: {
    is: 'false, or an object such as { attempts: 10 }',
    allows: (value) => value === false || object.allows(value),
  },
  keepAlive: object,
  cache: {
    is: 'false, or a ResponseCache such as new MemoryCache()',
    allows: (value) => value === false || has(value, ['mark', 'get', 'set', 'delete', 'drop']),
  },
  // Objects would all become the same text, and private responses would be shared.
  identity: text,
  unverifiedOutput: anything,
  limits: object,
  rates: { is: 'false, or an object of rates', allows: (value) => value === false || object.allows(value) },
  clock: { is: 'a Clock', allows: (value) => has(value, ['now', 'schedule']) },
  random: callable,
  headers: {
    is: 'an object, or a function that gives one',
    allows: (value) => object.allows(value) || callable.allows(value),
  },
  auth: {
    is: 'an AuthProvider, such as oauth(...) of @tenon/mcp-auth/client',
    allows: (value) => has(value, ['authorizer']),
  },
  fetch: callable,
};

/**
 * Rejects options that are misspelt or have the wrong type.
 * @throws TypeError with the list of options; RangeError for a number that is out of range.
 */
export function requireClientOptions(options: ClientOptions): void {
  requireOptions('connect', options, rules);
  const { capabilities, extensions = [], keepAlive, reconnect } = options;
  requireExtensions(extensions, { call: 'connect', from: '@tenon/mcp-client', mark: installation });
  if (capabilities) {
    if ('extensions' in capabilities)
      throw new TypeError(
        'capabilities: extensions are an option of their own: connect(target, { extensions: [defineExtension({ id: "com.example/search", settings: {} })] }).',
      );
    requireOptions('capabilities', capabilities, {
      experimental: object,
      samplingTools: flag,
      samplingContext: flag,
    });
  }
  if (keepAlive) requireOptions('keepAlive', keepAlive, { interval: positive, failures: positive });
  if (reconnect) {
    requireOptions<Partial<ReconnectPolicy>>('reconnect', reconnect, {
      attempts: notNegative,
      delay: notNegative,
      maxDelay: notNegative,
      healthy: notNegative,
    });
  }
}

function has(value: unknown, methods: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return methods.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');
}
