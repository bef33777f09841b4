// What each command must do with a server that works, and with servers that are broken.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenServer } from './subjects.js';
import { tenonProgram } from './tenon.js';

/**
 * @typedef {object} Check
 * @property {string} title
 * @property {readonly string[]} words
 * @property {string} [input] text on stdin
 * @property {number | readonly number[]} [code] default: 0
 * @property {RegExp} [stdout]
 * @property {RegExp} [stderr]
 * @property {() => string | undefined} [also] returns a further problem
 *
 * @typedef {object} Target
 * @property {readonly string[]} server the words that name it
 * @property {readonly string[]} tail the words at the end of the line
 * @property {readonly string[]} [command] the command, if it is one
 * @property {string} folder an empty folder
 */

/**
 * @param {import('./subjects.js').Subject} subject
 * @param {Target} target
 * @returns {readonly Check[]}
 */
export function checksOf(subject, target) {
  return [
    ...useChecks(subject, target),
    ...qualityChecks(subject, target),
    ...recordingChecks(subject, target),
  ];
}

/**
 * @param {Target} target
 * @returns {(command: string, ...words: string[]) => string[]} makes the line of a command
 */
function lineFor({ server, tail }) {
  return (command, ...words) => [command, ...server, ...words, ...tail];
}

/**
 * @param {import('./subjects.js').Subject} subject
 * @param {Target} target
 * @returns {readonly Check[]}
 */
function useChecks(subject, target) {
  const { server, tail } = target;
  const line = lineFor(target);
  const [tool = ''] = subject.call.words;
  return [
    { title: 'list', words: line('list'), stdout: new RegExp(`${tool}\\(`) },
    { title: 'list --json', words: line('list', '--json'), stdout: /^\{.*"tools":\[\{/ },
    { title: 'call', words: line('call', ...subject.call.words), stdout: subject.call.answer },
    {
      title: 'call --json',
      words: line('call', ...subject.call.words, '--json'),
      stdout: /^\{.*"content":\[/,
    },
    {
      title: 'call of a misspelt tool',
      words: line('call', subject.misspelt),
      code: 1,
      stderr: /Did you mean/,
    },
    { title: 'call that fails', words: line('call', subject.failing), code: [1, 5] },
    { title: 'read', words: line('read', subject.resource.uri), stdout: subject.resource.text },
    { title: 'prompt', words: line('prompt', ...subject.prompt.words), stdout: subject.prompt.text },
    {
      title: 'complete',
      words: line(
        'complete',
        ...subject.prompt.words.slice(0, 1),
        `${subject.prompt.words[1]?.split('=')[0]}=`,
      ),
    },
    { title: 'watch', words: line('watch', '--for', '0.5') },
    { title: 'tasks list', words: ['tasks', 'list', ...server, ...tail] },
    { title: 'skills', words: line('skills'), code: [0, 1] },
    { title: 'app', words: line('app'), code: [0, 2] },
  ];
}

/**
 * @param {import('./subjects.js').Subject} subject
 * @param {Target} target
 * @returns {readonly Check[]}
 */
function qualityChecks(subject, target) {
  const { folder } = target;
  const line = lineFor(target);
  const [tool = ''] = subject.call.words;
  return [
    { title: 'lint', words: line('lint', '--fail-on', 'never'), stdout: /tokens/ },
    {
      title: 'lint --format sarif',
      words: line('lint', '--fail-on', 'never', '--format', 'sarif'),
      stdout: /"2\.1\.0"/,
    },
    { title: 'compat', words: line('compat', '--fail-on', 'never'), stdout: /2024-11-05/ },
    { title: 'doctor', words: line('doctor') },
    {
      title: 'bench',
      words: line('bench', ...subject.call.words.slice(0, 1), '--args', argsOf(subject), '--requests', '20'),
      stdout: /p99/,
    },
    {
      title: 'types',
      words: line('types', '--output', join(folder, 'server.ts')),
      also: () => lacks(join(folder, 'server.ts'), tool),
    },
    { title: 'types --check', words: line('types', '--output', join(folder, 'server.ts'), '--check') },
    {
      title: 'card',
      words: line('card', '--format', 'card'),
      stdout: /"version"/,
    },
    {
      title: 'install',
      words: ['install', 'cursor', ...target.server, '--name', 'tried', ...target.tail],
      stdout: /mcpServers/,
    },
  ];
}

/**
 * @param {import('./subjects.js').Subject} subject
 * @param {Target} target
 * @returns {readonly Check[]}
 */
function recordingChecks(subject, target) {
  const { server, tail, folder } = target;
  const line = lineFor(target);
  const recording = join(folder, 'session.md');
  return [
    {
      title: 'call --record',
      words: line('call', ...subject.call.words, '--record', recording),
      stdout: subject.call.answer,
    },
    {
      title: 'replay against the server',
      words: ['replay', recording, ...(target.command === undefined ? ['--to', ...server] : tail)],
    },
    {
      title: 'replay as a server',
      words: ['call', ...subject.call.words, '--', ...tenonProgram, 'replay', recording, '--stdio'],
      stdout: subject.call.answer,
    },
    ...(target.command === undefined
      ? []
      : [
          {
            title: 'call through record',
            words: [
              'call',
              ...subject.call.words,
              '--',
              ...tenonProgram,
              'record',
              join(folder, 'proxy.md'),
              ...tail,
            ],
            stdout: subject.call.answer,
            also: () => lacks(join(folder, 'proxy.md'), 'tools/call'),
          },
          {
            title: 'call through dev',
            words: [
              'call',
              ...subject.call.words,
              '--',
              ...tenonProgram,
              'dev',
              '--stdio',
              '--',
              ...target.command,
            ],
            stdout: subject.call.answer,
          },
        ]),
  ];
}

/** @type {readonly Check[]} */
export const brokenChecks = [
  ...['list', 'doctor', 'lint', 'compat'].map((command) => ({
    title: `${command} with a server that exits`,
    words: [command, '--', ...brokenServer('exits')],
    code: 4,
  })),
  ...['noise', 'garbage', 'silent'].flatMap((way) =>
    ['list', 'doctor'].map((command) => ({
      title: `${command} with a server of ${way}`,
      words: [command, '--timeout', '2', '--', ...brokenServer(way)],
      code: [1, 4],
    })),
  ),
  {
    title: 'list of a closed port',
    words: ['list', 'http://127.0.0.1:9/mcp', '--json'],
    code: 4,
    stderr: /^\{"error":\{"code":"unreachable"/,
  },
  { title: 'doctor of a closed port', words: ['doctor', 'http://127.0.0.1:9/mcp'], code: 4 },
  { title: 'bench of a closed port', words: ['bench', 'http://127.0.0.1:9/mcp', 'tool'], code: 4 },
  {
    title: 'diff with a closed port',
    words: ['diff', 'http://127.0.0.1:9/mcp', 'http://127.0.0.1:9/mcp'],
    code: 4,
  },
];

/** @param {import('./subjects.js').Subject} subject */
function argsOf({ call }) {
  const pairs = call.words.slice(1).map((pair) => pair.split('='));
  return JSON.stringify(Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)])));
}

/** @param {string} file @param {string} text */
function lacks(file, text) {
  return readFileSync(file, 'utf8').includes(text) ? undefined : `${file} does not have "${text}"`;
}
