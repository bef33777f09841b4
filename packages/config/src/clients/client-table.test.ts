import { describe, expect, it } from 'vitest';
import type { ClientEnvironment } from './client-environment.js';
import { clientFileOf, clientOf, mcpClients } from './client-table.js';

const linux: ClientEnvironment = { platform: 'linux', home: '/home/ada', cwd: '/project', env: {} };
const darwin: ClientEnvironment = { platform: 'darwin', home: '/Users/ada', cwd: '/project', env: {} };
const win32: ClientEnvironment = {
  platform: 'win32',
  home: 'C:\\Users\\Ada',
  cwd: 'D:\\work',
  env: { APPDATA: 'C:\\Users\\Ada\\AppData\\Roaming' },
};

/** Returns the files of a client as `scope path`. */
function filesOf(id: string, environment: ClientEnvironment): string[] {
  return clientOf(id)
    .files(environment)
    .map(({ scope, path }) => `${scope} ${path}`);
}

const library = '/Users/ada/Library/Application Support';
const roaming = 'C:\\Users\\Ada\\AppData\\Roaming';

describe('files of clients', () => {
  it.each([
    ['claude-desktop', ['user /home/ada/.config/Claude/claude_desktop_config.json']],
    [
      'claude-code',
      ['project /project/.mcp.json', 'local /home/ada/.claude.json', 'user /home/ada/.claude.json'],
    ],
    ['vscode', ['project /project/.vscode/mcp.json', 'user /home/ada/.config/Code/User/mcp.json']],
    ['cursor', ['project /project/.cursor/mcp.json', 'user /home/ada/.cursor/mcp.json']],
    ['codex', ['project /project/.codex/config.toml', 'user /home/ada/.codex/config.toml']],
    ['gemini', ['project /project/.gemini/settings.json', 'user /home/ada/.gemini/settings.json']],
    ['goose', ['user /home/ada/.config/goose/config.yaml']],
    ['inspector', ['user /home/ada/.mcp-inspector/mcp.json']],
    ['mcp.json', ['project /project/mcp.json']],
  ])('of %s on Linux', (id, files) => {
    expect(filesOf(id, linux)).toEqual(files);
  });

  it.each([
    ['claude-desktop', [`user ${library}/Claude/claude_desktop_config.json`]],
    [
      'claude-code',
      ['project /project/.mcp.json', 'local /Users/ada/.claude.json', 'user /Users/ada/.claude.json'],
    ],
    ['vscode', ['project /project/.vscode/mcp.json', `user ${library}/Code/User/mcp.json`]],
    ['cursor', ['project /project/.cursor/mcp.json', 'user /Users/ada/.cursor/mcp.json']],
    ['codex', ['project /project/.codex/config.toml', 'user /Users/ada/.codex/config.toml']],
    ['gemini', ['project /project/.gemini/settings.json', 'user /Users/ada/.gemini/settings.json']],
    ['goose', ['user /Users/ada/.config/goose/config.yaml']],
    ['inspector', ['user /Users/ada/.mcp-inspector/mcp.json']],
    ['mcp.json', ['project /project/mcp.json']],
  ])('of %s on macOS', (id, files) => {
    expect(filesOf(id, darwin)).toEqual(files);
  });

  it.each([
    ['claude-desktop', [`user ${roaming}\\Claude\\claude_desktop_config.json`]],
    [
      'claude-code',
      [
        'project D:\\work\\.mcp.json',
        'local C:\\Users\\Ada\\.claude.json',
        'user C:\\Users\\Ada\\.claude.json',
      ],
    ],
    ['vscode', ['project D:\\work\\.vscode\\mcp.json', `user ${roaming}\\Code\\User\\mcp.json`]],
    ['cursor', ['project D:\\work\\.cursor\\mcp.json', 'user C:\\Users\\Ada\\.cursor\\mcp.json']],
    ['codex', ['project D:\\work\\.codex\\config.toml', 'user C:\\Users\\Ada\\.codex\\config.toml']],
    ['gemini', ['project D:\\work\\.gemini\\settings.json', 'user C:\\Users\\Ada\\.gemini\\settings.json']],
    ['goose', [`user ${roaming}\\Block\\goose\\config\\config.yaml`]],
    ['inspector', ['user C:\\Users\\Ada\\.mcp-inspector\\mcp.json']],
    ['mcp.json', ['project D:\\work\\mcp.json']],
  ])('of %s on Windows', (id, files) => {
    expect(filesOf(id, win32)).toEqual(files);
  });

  it.each([
    ['vscode', { XDG_CONFIG_HOME: '/config' }, 'user /config/Code/User/mcp.json'],
    ['goose', { XDG_CONFIG_HOME: '/config' }, 'user /config/goose/config.yaml'],
    ['codex', { CODEX_HOME: '/codex' }, 'user /codex/config.toml'],
    ['claude-code', { CLAUDE_CONFIG_DIR: '/claude' }, 'user /claude/.claude.json'],
    ['codex', { CODEX_HOME: 'relative' }, 'user /home/ada/.codex/config.toml'],
  ])('of %s follow the environment %o', (id, env, file) => {
    expect(filesOf(id, { ...linux, env })).toContain(file);
  });

  it('have a page that documents them, for each client', () => {
    for (const { documentation } of mcpClients) expect(documentation).toMatch(/^https:\/\//);
  });
});

it('suggests a client when a name is misspelt', () => {
  expect(() => clientOf('cursr')).toThrow('There is no client "cursr".');
  expect(clientOf('Cursor').title).toBe('Cursor');
});

it('rejects a scope that a client does not have', () => {
  expect(() => clientFileOf(clientOf('goose'), 'project', linux)).toThrow('Goose has no file for projects.');
  expect(() => clientFileOf(clientOf('mcp.json'), 'user', linux)).toThrow('has no file for users.');
});
