import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { ClientExtension, ClientOptions, Root, Target } from '@tenon/mcp-client';

/** One server of a host. */
export interface ServerSettings
  extends Pick<
    ClientOptions,
    | 'auth'
    | 'cache'
    | 'fetch'
    | 'headers'
    | 'keepAlive'
    | 'limits'
    | 'middleware'
    | 'onLog'
    | 'rates'
    | 'revision'
    | 'revisions'
  > {
  /** The place of the server: a URL, a command, or anything else that `connect` accepts. */
  readonly target: Target;
  /**
   * True for a server of an author that you trust: its annotations are believed, and a tool that it changes needs no new agreement. Default: false.
   */
  readonly trusted?: boolean;
  /** The roots that the server may request. Default: those of the host. */
  readonly roots?: readonly Root[];
  /** Milliseconds without a request after which the connection is closed and a program is stopped; 0 for never. Default: 600,000. */
  readonly idle?: number;
  /** Extensions for this server, in addition to those of the host. */
  readonly extensions?: readonly ClientExtension[];
}

/** A server by its target alone, or with further settings. */
export type HostServer = Target | ServerSettings;

const { anything, callable, flag, list, notNegative, object } = optionRules;

const rules: { readonly [Name in keyof Required<ServerSettings>]: OptionRule } = {
  target: anything,
  trusted: flag,
  roots: list,
  idle: notNegative,
  extensions: list,
  auth: object,
  cache: anything,
  fetch: callable,
  headers: anything,
  keepAlive: object,
  limits: object,
  middleware: list,
  onLog: callable,
  rates: anything,
  revision: anything,
  revisions: list,
};

/**
 * Returns the settings of a server that may be given by its target alone.
 * @throws TypeError for an unknown or wrong setting, and for a name that is not a text of 1 to 128 printable characters.
 */
export function checkedSettings(name: string, source: HostServer): ServerSettings {
  if (typeof name !== 'string' || !/^[^\p{C}]{1,128}$/u.test(name))
    throw new TypeError('The name of a server must have 1 to 128 printable characters.');
  if (typeof source !== 'object' || source === null || !('target' in source)) return { target: source };
  requireOptions(`The server ${JSON.stringify(name)}`, source, rules);
  return source;
}
