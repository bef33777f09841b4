import { BoundedMap, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import {
  type ConfigProblem,
  type ConfiguredServer,
  clientEnvironment,
  readServersOf,
  type ServerInput,
  targetOf,
} from '@tenon/mcp-config';
import { watchServers } from '@tenon/mcp-config/watch';
import type { LiveServers } from '../options.js';
import type { ServerSettings } from '../servers/server-settings.js';

/** Options of {@link configServers}. */
export interface ConfigServersOptions {
  /** Variables for `${VAR}`. Default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Returns the value of an input that a server needs, such as from a prompt; it is called once for each. Default, and if it throws: the server is left out. */
  readonly input?: (input: ServerInput, server: string) => string | Promise<string>;
  /** Watches the file: only servers that changed are restarted. A file that is broken for a while keeps its servers. Default: true. */
  readonly watch?: boolean;
  /** Further settings for a server of the file, such as `{ trusted: true }`. */
  readonly settings?: (name: string) => Omit<ServerSettings, 'target'>;
  /** Receives each problem of the file once: a malformed file, an entry that cannot be used, a variable without a value. */
  readonly onProblem?: (problem: ConfigProblem) => void;
}

/** The servers of a configuration file. */
export interface ConfigServers extends LiveServers {
  /** Ends the watch. */
  close(): void;
}

const { callable, flag, object } = optionRules;
const rules: { readonly [Name in keyof Required<ConfigServersOptions>]: OptionRule } = {
  env: object,
  input: callable,
  watch: flag,
  settings: callable,
  onProblem: callable,
};

/**
 * Reads the servers of a configuration file for `createHost({ info, servers: await configServers('mcp.json') })`: JSON, TOML or YAML, as Claude, VS Code,
 * Cursor, Codex, Goose and others write it. Disabled servers are left out.
 * @throws ConfigError if the file is missing or has no servers; TypeError for an unknown option.
 */
export async function configServers(
  file: string,
  options: ConfigServersOptions = {},
): Promise<ConfigServers> {
  requireOptions('configServers', options, rules);
  const { watch = true, onProblem = ignore } = options;
  const reader = new TargetReader(options);
  const environment = clientEnvironment(options.env && { env: options.env });
  // It rejects for a file that is missing or has no servers, which a watch waits for.
  const { problems, servers: first } = await readServersOf(file, environment);
  if (!watch) {
    for (const problem of problems) onProblem(problem);
    return { servers: await reader.read(first), watch: () => ignore, close: ignore };
  }
  let servers: LiveServers['servers'] = {};
  const listeners = new Set<() => void>();
  let last: Promise<unknown> = Promise.resolve();
  const update = (configured: readonly ConfiguredServer[]): void => {
    const reading = last.then(async () => {
      servers = await reader.read(configured);
      for (const changed of listeners) changed();
    });
    last = reading.catch((error: unknown) => onProblem({ file, message: String(error) }));
  };
  const watcher = await watchServers({
    file,
    environment,
    onProblem,
    onChange: (change) => update(change.servers),
  });
  update(watcher.servers);
  await last;
  return {
    get servers() {
      return servers;
    },
    watch(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    close: () => watcher.close(),
  };
}

/** Problems that are remembered, at most: one that is forgotten is reported again. */
const mostReported = 2_000;

/** Fills references in. Each input is requested once, and kept in memory. */
class TargetReader {
  readonly #options: ConfigServersOptions;
  readonly #inputs = new Map<string, string>();
  readonly #reported = new BoundedMap<string, true>(mostReported);

  constructor(options: ConfigServersOptions) {
    this.#options = options;
  }

  /** Returns the servers that can be used, and reports the others. */
  async read(configured: readonly ConfiguredServer[]): Promise<Readonly<Record<string, ServerSettings>>> {
    const found: [string, ServerSettings][] = [];
    for (const server of configured) {
      if (server.isDisabled) continue;
      const settings = await this.#settingsOf(server);
      if (settings !== undefined) found.push([server.name, settings]);
    }
    return Object.fromEntries(found);
  }

  /** Returns the settings of a server. It is left out alone if it cannot be used or its input is refused. */
  async #settingsOf(server: ConfiguredServer): Promise<ServerSettings | undefined> {
    const { env, settings, onProblem = ignore } = this.#options;
    const { file, name } = server;
    try {
      const values = await this.#values(server);
      const target = await targetOf(server, { environment: clientEnvironment(env && { env }), values });
      return { ...settings?.(name), target };
    } catch (error) {
      const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
      const problem = JSON.stringify([name, message]);
      if (!this.#reported.has(problem)) onProblem({ file, server: name, message });
      this.#reported.set(problem, true);
      return undefined;
    }
  }

  async #values(server: ConfiguredServer): Promise<Readonly<Record<string, string>>> {
    const { input } = this.#options;
    const values: [string, string][] = [];
    for (const needed of server.inputs) {
      const { id } = needed;
      const known = this.#inputs.get(id) ?? (await input?.(needed, server.name));
      if (known === undefined) continue;
      this.#inputs.set(id, known);
      values.push([id, known]);
    }
    return Object.fromEntries(values);
  }
}

function ignore(): void {}
