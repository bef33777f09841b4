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

/** Returns the settings of a server that may be given by its target alone. */
export function settingsOf(source: HostServer): ServerSettings {
  return typeof source === 'object' && source !== null && 'target' in source ? source : { target: source };
}
