// Ten servers from npm that run without an account. Those that need a network for their tools are listed, and not called.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Subject
 * @property {string} name the name of the server in the host
 * @property {string} package
 * @property {string} program its file in the package
 * @property {(folder: string) => readonly string[]} [args] receives a folder with the file `notes.md`
 * @property {(folder: string) => Readonly<Record<string, string>>} [env]
 * @property {number} tools that it lists, at least
 * @property {Call | undefined} call one that works offline; undefined if there is none
 *
 * @typedef {object} Call
 * @property {string} tool
 * @property {(folder: string) => object} args
 * @property {RegExp} answer a part of the text that a model receives
 * @property {RegExp} [again] the same for a repeated call; default: `answer`
 */

const chromium = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
const page = 'data:text/html,<title>Interop page</title><h1>Interop</h1>';

/** @type {readonly Subject[]} */
export const subjects = [
  {
    name: 'everything',
    package: '@modelcontextprotocol/server-everything',
    program: 'dist/index.js',
    tools: 8,
    call: { tool: 'get-sum', args: () => ({ a: 20, b: 22 }), answer: /42/ },
  },
  {
    name: 'filesystem',
    package: '@modelcontextprotocol/server-filesystem',
    program: 'dist/index.js',
    args: (folder) => [folder],
    tools: 10,
    call: {
      tool: 'read_text_file',
      args: (folder) => ({ path: join(folder, 'notes.md') }),
      answer: /buy milk/,
    },
  },
  {
    name: 'memory',
    package: '@modelcontextprotocol/server-memory',
    program: 'dist/index.js',
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.json') }),
    tools: 9,
    call: {
      tool: 'create_entities',
      args: () => ({ entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] }),
      answer: /Ada/,
      again: /entities/,
    },
  },
  {
    name: 'sequential-thinking',
    package: '@modelcontextprotocol/server-sequential-thinking',
    program: 'dist/index.js',
    tools: 1,
    call: {
      tool: 'sequentialthinking',
      args: () => ({ thought: 'One', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
      answer: /thoughtNumber/,
    },
  },
  {
    name: 'playwright',
    package: '@playwright/mcp',
    program: 'cli.js',
    args: () => [
      '--headless',
      '--isolated',
      '--no-sandbox',
      ...(chromium ? ['--executable-path', chromium] : []),
    ],
    tools: 20,
    call: chromium
      ? { tool: 'browser_navigate', args: () => ({ url: page }), answer: /Interop page/ }
      : undefined,
  },
  {
    name: 'chrome-devtools',
    package: 'chrome-devtools-mcp',
    program: 'build/src/bin/chrome-devtools-mcp.js',
    args: () => [
      ...['--headless', '--isolated', '--no-usage-statistics', '--chrome-arg=--no-sandbox'],
      ...(chromium ? ['--executable-path', chromium] : []),
    ],
    tools: 20,
    call: chromium ? { tool: 'new_page', args: () => ({ url: page }), answer: /data:text\/html/ } : undefined,
  },
  {
    name: 'context7',
    package: '@upstash/context7-mcp',
    program: 'dist/index.js',
    tools: 2,
    call: undefined,
  },
  {
    name: 'calc',
    package: '@coo-quack/calc-mcp',
    program: 'dist/index.js',
    tools: 15,
    call: { tool: 'math', args: () => ({ action: 'eval', expression: '6*7' }), answer: /42/ },
  },
  {
    name: 'eslint',
    package: '@eslint/mcp',
    program: 'src/mcp-cli.js',
    tools: 1,
    call: {
      tool: 'lint-files',
      args: (folder) => ({ filePaths: [join(folder, 'code.js')] }),
      answer: /no-debugger/,
    },
  },
  {
    name: 'charts',
    package: '@antv/mcp-server-chart',
    program: 'build/index.js',
    tools: 20,
    call: undefined,
  },
];

/**
 * @param {Subject} subject
 * @param {{ folder: string, starts: string, mark: string }} run
 */
export function targetOf({ name, package: from, program, args, env }, { folder, starts, mark }) {
  return {
    command: process.execPath,
    args: [
      ...['--import', new URL('count-start.js', import.meta.url).href],
      join(packageFolder(from), program),
      ...(args?.(folder) ?? []),
    ],
    cwd: folder,
    env: { INTEROP_STARTS: starts, INTEROP_SERVER: name, INTEROP_MARK: mark, ...env?.(folder) },
  };
}

/** @param {string} name */
function packageFolder(name) {
  // A package may not export its manifest.
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
  if (found === undefined) throw new Error(`${name} is not installed.`);
  return dirname(join(found, 'package.json'));
}
