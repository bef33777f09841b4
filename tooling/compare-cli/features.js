// What the command lines are asked to do, and how each would do it. Features that a command line has no command for are left out
// of its column: `--help` of the version in package.json has none.
import { commands } from './servers.js';

/**
 * @typedef {object} Attempt
 * @property {readonly string[]} words
 * @property {string} [input] text on stdin
 * @property {number} [code] default: 0
 * @property {RegExp} [stdout]
 * @property {RegExp} [stderr]
 *
 * @typedef {object} Place addresses of the servers, and files
 * @property {string} url Streamable HTTP
 * @property {string} sse HTTP+SSE
 * @property {string} folder an empty folder
 * @property {string} config a configuration file with the server `all`
 * @property {string} answers answers to input requests
 *
 * @typedef {'tenon' | 'inspector' | 'mcporter'} ToolName
 * @typedef {{ feature: string, by: (place: Place) => Partial<Record<ToolName, Attempt>> }} Feature
 */

const text = /This is a simple text response for testing\./;
const [node = '', ...everything] = commands.everything;
const command = [node, ...everything];
const line = command.join(' ');
const nowhere = 'http://127.0.0.1:9/mcp';

/** @param {...string} words */
const inspected = (...words) => ['--cli', ...command, ...words];
/** @param {string} tool @param {...string} words */
const inspectedCall = (tool, ...words) => inspected('--method', 'tools/call', '--tool-name', tool, ...words);

/** @type {readonly Feature[]} */
export const features = [
  {
    feature: 'lists tools of a command',
    by: () => ({
      tenon: { words: ['list', '--', ...command], stdout: /test_simple_text/ },
      inspector: { words: inspected('--method', 'tools/list'), stdout: /test_simple_text/ },
      mcporter: { words: ['list', '--stdio', line], stdout: /test_simple_text/ },
    }),
  },
  {
    feature: 'prints tools as TypeScript signatures',
    by: () => ({
      tenon: { words: ['list', '--', ...command], stdout: /test_sampling\(.*prompt: string/s },
      mcporter: { words: ['list', '--stdio', line], stdout: /test_sampling\(.*prompt: string/s },
    }),
  },
  {
    feature: 'calls over Streamable HTTP',
    by: ({ url }) => ({
      tenon: { words: ['call', url, 'test_simple_text'], stdout: text },
      inspector: {
        words: ['--cli', url, '--method', 'tools/call', '--tool-name', 'test_simple_text'],
        stdout: text,
      },
      mcporter: { words: ['call', '--allow-http', `${url}.test_simple_text`], stdout: text },
    }),
  },
  {
    feature: 'detects HTTP+SSE from an address that does not end in /sse',
    by: ({ sse }) => ({
      tenon: { words: ['call', `${sse}?`, 'test_simple_text'], stdout: text },
      inspector: {
        words: ['--cli', `${sse}?`, '--method', 'tools/call', '--tool-name', 'test_simple_text'],
        stdout: text,
      },
      mcporter: {
        words: ['call', '--allow-http', '--http-url', `${sse}?`, 'test_simple_text'],
        stdout: text,
      },
    }),
  },
  {
    feature: 'calls a server of 2026-07-28 only, without an option',
    by: () => oneRevision('2026-07-28', commands.newest),
  },
  {
    feature: 'calls a server of 2024-11-05 only, without an option',
    by: () => oneRevision('2024-11-05', commands.oldest),
  },
  {
    feature: 'calls with the function syntax',
    by: () => ({
      tenon: { words: ['call', 'test_simple_text()', '--', ...command], stdout: text },
      mcporter: { words: ['call', '--stdio', line, 'test_simple_text()'], stdout: text },
    }),
  },
  {
    feature: 'reads arguments from stdin',
    by: () => ({
      tenon: { words: ['call', 'test_simple_text', '-', '--', ...command], input: '{}', stdout: text },
    }),
  },
  {
    feature: 'suggests the tool when its name is misspelt',
    by: () => ({
      tenon: { words: ['call', 'test_simple_txt', '--', ...command], code: 1, stderr: /test_simple_text/ },
      inspector: { words: inspectedCall('test_simple_txt'), code: 5, stderr: /test_simple_text/ },
      mcporter: { words: ['call', '--stdio', line, 'test_simple_txt'], stdout: /test_simple_text/ },
    }),
  },
  {
    feature: 'exits with 5 when the tool answers with an error',
    by: () => ({
      tenon: { words: ['call', 'test_error_handling', '--', ...command], code: 5 },
      inspector: { words: inspectedCall('test_error_handling'), code: 5 },
      mcporter: { words: ['call', '--stdio', line, 'test_error_handling'], code: 5 },
    }),
  },
  {
    feature: 'exits with 4 and one line of JSON when the server cannot be reached',
    by: () => ({
      tenon: { words: ['list', nowhere, '--json'], code: 4, stderr: /^\{"error":.*\}\n$/ },
      inspector: {
        words: ['--cli', nowhere, '--method', 'tools/list', '--format', 'json'],
        code: 4,
        stderr: /^\{"error":.*\}\n$/,
      },
      mcporter: { words: ['list', '--allow-http', '--http-url', nowhere, '--json'], code: 4 },
    }),
  },
  {
    feature: 'reads a resource',
    by: ({ config }) => ({
      tenon: { words: ['read', 'test://static-text', '--', ...command], stdout: /static text resource/ },
      inspector: {
        words: inspected('--method', 'resources/read', '--uri', 'test://static-text'),
        stdout: /static text resource/,
      },
      mcporter: {
        words: ['--config', config, 'resource', 'all', 'test://static-text'],
        stdout: /static text resource/,
      },
    }),
  },
  {
    feature: 'gets a prompt',
    by: () => ({
      tenon: { words: ['prompt', 'test_simple_prompt', '--', ...command], stdout: /simple prompt/ },
      inspector: {
        words: inspected('--method', 'prompts/get', '--prompt-name', 'test_simple_prompt'),
        stdout: /simple prompt/,
      },
    }),
  },
  {
    feature: 'completes an argument of a prompt',
    by: () => ({
      tenon: {
        words: ['complete', 'test_prompt_with_arguments', 'arg1=par', '--', ...command],
        stdout: /^par/m,
      },
    }),
  },
  {
    feature: 'answers an elicitation from a file',
    by: ({ answers }) => ({
      tenon: {
        words: ['call', 'test_elicitation', 'message=Hello', '--answers', answers, '--', ...command],
        stdout: /User response/,
      },
      inspector: {
        words: inspectedCall('test_elicitation', '--tool-arg', 'message=Hello'),
        stdout: /User response/,
      },
      mcporter: {
        words: ['call', '--stdio', line, 'test_elicitation', 'message=Hello'],
        stdout: /User response/,
      },
    }),
  },
  {
    feature: 'saves images',
    by: ({ config, folder }) => ({
      tenon: {
        words: ['call', 'test_image_content', '--save-images', `${folder}/a`, '--', ...command],
        stdout: /\.png/,
      },
      inspector: {
        words: inspectedCall('test_image_content', '--output', `${folder}/b.png`, '--output-format', 'raw'),
      },
      mcporter: {
        words: ['--config', config, 'call', 'all.test_image_content', '--save-images', `${folder}/c`],
      },
    }),
  },
  {
    feature: 'finds servers in the configuration of other programs',
    by: () => ({
      tenon: { words: ['servers'], stdout: /in-cursor/ },
      mcporter: { words: ['list'], stdout: /in-cursor/ },
    }),
  },
  {
    feature: 'runs a call as a task, and prints its result',
    by: () => ({
      tenon: { words: ['call', 'slow_compute', 'seconds=1', '--task', '--', ...command], stdout: /./ },
    }),
  },
  {
    feature: 'lists tasks',
    by: ({ url }) => ({ tenon: { words: ['tasks', 'list', url] } }),
  },
  {
    feature: 'watches changes',
    by: ({ url }) => ({ tenon: { words: ['watch', url, '--for', '1'] } }),
  },
  {
    feature: 'shows the MCP App of a tool',
    by: ({ url }) => ({
      tenon: { words: ['app', url], stdout: /ui:\/\// },
      inspector: {
        words: ['--cli', url, '--method', 'tools/list', '--app-info', '--advertise-apps'],
        stdout: /"hasApp":true/,
      },
    }),
  },
  {
    feature: 'verifies skills',
    by: ({ url }) => ({
      tenon: { words: ['skills', url, '--verify'], stdout: /verified/ },
      inspector: {
        words: ['--cli', url, '--protocol-era', 'modern', '--method', 'skills/list', '--verify'],
        stdout: /./,
      },
    }),
  },
  {
    feature: 'records a call',
    by: ({ folder }) => ({
      tenon: {
        words: ['call', 'test_simple_text', '--record', `${folder}/session.md`, '--', ...command],
        stdout: text,
      },
      mcporter: { words: ['record', 'session', '--', node, ...everything] },
    }),
  },
  {
    feature: 'replays a recorded client against a server, and reports differences',
    by: ({ folder }) => ({ tenon: { words: ['replay', `${folder}/session.md`, '--', ...command] } }),
  },
  {
    feature: 'compares two servers',
    by: ({ url }) => ({ tenon: { words: ['diff', url, url] } }),
  },
  {
    feature: 'checks the schemas of tools',
    by: () => ({
      tenon: { words: ['lint', '--fail-on', 'never', '--', ...command], stdout: /./ },
      inspector: { words: inspected('--method', 'tools/list', '--strict'), stdout: /./ },
    }),
  },
  {
    feature: 'reports problems as SARIF, with tokens, names and annotations',
    by: () => ({
      tenon: {
        words: ['lint', '--fail-on', 'never', '--format', 'sarif', '--', ...command],
        stdout: /sarif/,
      },
    }),
  },
  {
    feature: 'shows compatibility by revision and by client',
    by: ({ url }) => ({
      tenon: { words: ['compat', url, '--fail-on', 'never'], stdout: /2026-07-28.*2024-11-05/s },
    }),
  },
  {
    feature: 'diagnoses a server step by step',
    by: ({ url }) => ({ tenon: { words: ['doctor', url], stdout: /TCP/ } }),
  },
  {
    feature: 'measures latency under load',
    by: ({ url }) => ({
      tenon: { words: ['bench', url, 'test_simple_text', '--requests', '50'], stdout: /p99/ },
      inspector: {
        words: [
          ...['--cli', url, '--method', 'tools/call', '--tool-name', 'test_simple_text'],
          ...['--load', '--load-requests', '50'],
        ],
        stdout: /p99/,
      },
    }),
  },
  {
    feature: 'writes types of a live server',
    by: ({ config, folder }) => ({
      tenon: { words: ['types', '--output', `${folder}/tenon.ts`, '--', ...command] },
      mcporter: {
        words: ['--config', config, 'emit-ts', 'all', '--mode', 'types', '--out', `${folder}/m.d.ts`],
      },
    }),
  },
  {
    feature: 'writes a command line of one server',
    by: ({ config, folder }) => ({
      mcporter: {
        words: ['--config', config, 'generate-cli', '--server', 'all', '--output', `${folder}/one.ts`],
      },
    }),
  },
  {
    feature: 'shows how to install a server into clients',
    by: () => ({ tenon: { words: ['install', 'cursor', '--', ...command], stdout: /mcpServers/ } }),
  },
  {
    feature: 'writes server.json for the registry',
    by: ({ url }) => ({ tenon: { words: ['card', url, '--format', 'server.json'], stdout: /"\$schema"/ } }),
  },
  {
    feature: 'prints a completion script for the shell',
    by: () => ({
      tenon: { words: ['completion', 'bash'], stdout: /complete/ },
      inspector: { words: ['--cli', '--completion', 'bash'], stdout: /complete/ },
    }),
  },
  {
    feature: 'lists servers with stored sign-ins',
    by: ({ url }) => ({
      tenon: { words: ['login', '--list'] },
      inspector: { words: ['--cli', '--server-url', url, '--list-stored-auth'] },
    }),
  },
];

/** @param {string} revision @param {readonly string[]} server */
function oneRevision(revision, server) {
  const stdout = new RegExp(`hello from ${revision}`);
  return {
    tenon: { words: ['call', 'hello', '--', ...server], stdout },
    inspector: { words: ['--cli', ...server, '--method', 'tools/call', '--tool-name', 'hello'], stdout },
    mcporter: { words: ['call', '--stdio', server.join(' '), 'hello'], stdout },
  };
}
