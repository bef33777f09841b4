import { closeNames } from '@tenon/foundation';
import { ConfigError } from '../config-error.js';
import type { FileFormat } from '../formats/config-syntax.js';
import { absolute, type ClientEnvironment, pathsOf, settingsFolder } from './client-environment.js';

/** The way in which a client writes a server in its file. */
export type EntryStyle =
  | 'standard'
  | 'vscode'
  | 'cursor'
  | 'gemini'
  | 'codex'
  | 'goose'
  | 'desktop'
  | 'inspector';

/** The reach of a file: one user everywhere, all users of a project, or one user in one project. */
export type FileScope = 'user' | 'project' | 'local';

/** A configuration file of a client, and the members on the way to its servers. */
export interface ClientFile {
  readonly path: string;
  readonly scope: FileScope;
  readonly format: FileFormat;
  readonly style: EntryStyle;
  /** The members that contain the servers, such as `['mcpServers']`. */
  readonly keys: readonly string[];
}

/** An MCP client, with its configuration files. */
export interface McpClient {
  /** The name on the command line. */
  readonly id: string;
  readonly title: string;
  /** The page that documents the file. */
  readonly documentation: string;
  files(environment: ClientEnvironment): readonly ClientFile[];
}

const json = (style: EntryStyle, scope: FileScope, keys: readonly string[] = ['mcpServers']) =>
  ({ format: 'json', style, scope, keys }) as const;

/** The known clients, in the order in which they are listed. */
export const mcpClients: readonly McpClient[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    documentation: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
    files(environment) {
      const path = pathsOf(environment).join(
        settingsFolder(environment),
        'Claude',
        'claude_desktop_config.json',
      );
      return [{ path, ...json('desktop', 'user') }];
    },
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    documentation: 'https://code.claude.com/docs/en/mcp#mcp-installation-scopes',
    files(environment) {
      const { home, cwd, env } = environment;
      const paths = pathsOf(environment);
      const path = paths.join(absolute(env.CLAUDE_CONFIG_DIR, paths) ?? home, '.claude.json');
      return [
        { path: paths.join(cwd, '.mcp.json'), ...json('standard', 'project') },
        { path, ...json('standard', 'local', ['projects', cwd, 'mcpServers']) },
        { path, ...json('standard', 'user') },
      ];
    },
  },
  {
    id: 'vscode',
    title: 'VS Code',
    documentation: 'https://code.visualstudio.com/docs/agents/reference/mcp-configuration',
    files(environment) {
      const paths = pathsOf(environment);
      return [
        {
          path: paths.join(environment.cwd, '.vscode', 'mcp.json'),
          ...json('vscode', 'project', ['servers']),
        },
        {
          path: paths.join(settingsFolder(environment), 'Code', 'User', 'mcp.json'),
          ...json('vscode', 'user', ['servers']),
        },
      ];
    },
  },
  {
    id: 'cursor',
    title: 'Cursor',
    documentation: 'https://cursor.com/docs/mcp',
    files(environment) {
      const { join } = pathsOf(environment);
      return [
        { path: join(environment.cwd, '.cursor', 'mcp.json'), ...json('cursor', 'project') },
        { path: join(environment.home, '.cursor', 'mcp.json'), ...json('cursor', 'user') },
      ];
    },
  },
  {
    id: 'codex',
    title: 'Codex',
    documentation: 'https://developers.openai.com/codex/mcp',
    files(environment) {
      const { home, cwd, env } = environment;
      const paths = pathsOf(environment);
      const folder = absolute(env.CODEX_HOME, paths) ?? paths.join(home, '.codex');
      const toml = { format: 'toml', style: 'codex', keys: ['mcp_servers'] } as const;
      return [
        { path: paths.join(cwd, '.codex', 'config.toml'), scope: 'project', ...toml },
        { path: paths.join(folder, 'config.toml'), scope: 'user', ...toml },
      ];
    },
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    documentation: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
    files(environment) {
      const { join } = pathsOf(environment);
      return [
        { path: join(environment.cwd, '.gemini', 'settings.json'), ...json('gemini', 'project') },
        { path: join(environment.home, '.gemini', 'settings.json'), ...json('gemini', 'user') },
      ];
    },
  },
  {
    id: 'goose',
    title: 'Goose',
    documentation: 'https://block.github.io/goose/docs/guides/config-files',
    files(environment) {
      const { platform, home } = environment;
      const paths = pathsOf(environment);
      // Goose keeps to ~/.config on macOS too.
      const folder =
        platform === 'win32'
          ? paths.join(settingsFolder(environment), 'Block', 'goose', 'config')
          : paths.join(
              platform === 'darwin' ? paths.join(home, '.config') : settingsFolder(environment),
              'goose',
            );
      const path = paths.join(folder, 'config.yaml');
      return [{ path, scope: 'user', format: 'yaml', style: 'goose', keys: ['extensions'] }];
    },
  },
  {
    id: 'inspector',
    title: 'MCP Inspector',
    documentation:
      'https://github.com/modelcontextprotocol/inspector/blob/main/docs/mcp-server-configuration.md',
    files(environment) {
      const { join } = pathsOf(environment);
      return [{ path: join(environment.home, '.mcp-inspector', 'mcp.json'), ...json('inspector', 'user') }];
    },
  },
  {
    id: 'mcp.json',
    title: 'mcp.json of this folder',
    documentation: 'https://modelcontextprotocol.io/clients',
    files(environment) {
      const path = pathsOf(environment).join(environment.cwd, 'mcp.json');
      return [{ path, ...json('standard', 'project') }];
    },
  },
];

/** Returns a client by its name. @throws ConfigError that lists the clients. */
export function clientOf(id: string): McpClient {
  const client = mcpClients.find((one) => one.id === id.toLowerCase());
  if (client !== undefined) return client;
  const ids = mcpClients.map((one) => one.id);
  const [close] = closeNames(id, ids);
  throw new ConfigError(`There is no client "${id}".`, {
    hint: `${close === undefined ? '' : `Did you mean ${close}? `}The clients are ${ids.join(', ')}.`,
  });
}

/**
 * Returns the file that a client reads in a scope.
 * @throws ConfigError if the client has none.
 */
export function clientFileOf(
  client: McpClient,
  scope: 'user' | 'project',
  environment: ClientEnvironment,
): ClientFile {
  const files = client.files(environment);
  const file = files.find((one) => one.scope === scope);
  if (file !== undefined) return file;
  throw new ConfigError(`${client.title} has no file for ${scope === 'user' ? 'users' : 'projects'}.`, {
    hint: scope === 'user' ? 'Use --project.' : 'Leave --project out.',
  });
}
