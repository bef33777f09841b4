import { redactThoroughly } from '@tenon/foundation/redaction/thorough';

/** A server that is reached by its URL. */
export interface UrlServer {
  readonly kind: 'url';
  readonly url: string;
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The transport; `auto` detects it. Default: `auto`. */
  readonly transport?: 'auto' | 'http' | 'sse';
  /** The name under which a configuration file lists the server. */
  readonly name?: string;
}

/** A server that is started as a child process and speaks over stdio. */
export interface CommandServer {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  /** Variables in addition to the few inherited ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working folder. Default: that of this process. */
  readonly cwd?: string;
  /** The name under which a configuration file lists the server. */
  readonly name?: string;
  /** The file that the user named in place of a command, as it was written. */
  readonly file?: string;
}

/** A server to connect to. */
export type ServerTarget = UrlServer | CommandServer;

/** Returns a text that names the server in messages: its name, its file, its URL without query and credentials, or its command line without secrets. */
export function describeTarget(target: ServerTarget): string {
  if (target.name !== undefined) return target.name;
  if (target.kind === 'command')
    return target.file ?? redactThoroughly([target.command, ...target.args].join(' '));
  const { origin, pathname } = new URL(target.url);
  return origin + pathname;
}
