// The servers that the command line is tried with.
import { fileURLToPath } from 'node:url';
import { programOf } from '../run/programs.js';

/** @typedef {import('../run/columns.js').ServerName} ServerName */

/**
 * The names of a server that commands use.
 *
 * @typedef {object} Subject
 * @property {string} title
 * @property {ServerName} server
 * @property {'stdio' | 'http' | 'sse'} transport
 * @property {{ words: string[], answer: RegExp }} call a tool that answers
 * @property {string} failing a call that the tool or the server answers with an error
 * @property {string} misspelt a name close to that of a tool
 * @property {{ uri: string, text: RegExp }} resource
 * @property {{ words: string[], text: RegExp }} prompt
 */

/** @type {Omit<Subject, 'title' | 'server' | 'transport'>} */
const fixture = {
  call: { words: ['add', 'a=1', 'b=2'], answer: /3/ },
  failing: 'fail',
  misspelt: 'odd_txt',
  resource: { uri: 'fixture://text', text: /line one/ },
  prompt: { words: ['greet', 'team=kitchen', 'name=Ada'], text: /Ada of kitchen/ },
};

/** @type {Omit<Subject, 'title' | 'server' | 'transport'>} */
const reference = {
  call: { words: ['get-sum', 'a=1', 'b=2'], answer: /3/ },
  failing: 'get-sum(a: "one", b: 2)',
  misspelt: 'get-summ',
  resource: { uri: 'demo://resource/static/document/features.md', text: /./ },
  prompt: { words: ['args-prompt', 'city=Oslo'], text: /Oslo/ },
};

/** @type {Omit<Subject, 'title' | 'server' | 'transport'>} */
const ours = {
  call: { words: ['test_simple_text'], answer: /simple text response/ },
  failing: 'test_error_handling',
  misspelt: 'test_simple_txt',
  resource: { uri: 'test://static-text', text: /static text resource/ },
  prompt: { words: ['test_prompt_with_arguments', 'arg1=one', 'arg2=two'], text: /one.*two/s },
};

/** @type {readonly Subject[]} */
export const subjects = [
  { title: 'ours, stdio', server: 'tenon-everything', transport: 'stdio', ...ours },
  { title: 'ours, HTTP', server: 'tenon-everything', transport: 'http', ...ours },
  { title: 'ours, HTTP+SSE', server: 'tenon-everything', transport: 'sse', ...ours },
  { title: 'official 1.x, stdio', server: 'fixture-v1', transport: 'stdio', ...fixture },
  { title: 'official 1.x, HTTP', server: 'fixture-v1', transport: 'http', ...fixture },
  { title: 'official 2.x, stdio', server: 'fixture-v2', transport: 'stdio', ...fixture },
  { title: 'official 2.x, HTTP', server: 'fixture-v2', transport: 'http', ...fixture },
  { title: 'server-everything, stdio', server: 'server-everything', transport: 'stdio', ...reference },
  { title: 'server-everything, HTTP', server: 'server-everything', transport: 'http', ...reference },
];

/** @param {string} way */
export function brokenServer(way) {
  return [process.execPath, fileURLToPath(new URL('broken-server.js', import.meta.url)), way];
}

/** @param {Subject} subject */
export function commandOf({ server, transport }) {
  const { command, args } = programOf(
    /** @type {import('../run/columns.js').Column} */ ({ server, transport }),
  );
  return [command, ...args];
}
