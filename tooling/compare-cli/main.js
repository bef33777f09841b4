// `pnpm compare:cli`: tries each feature with `tenon`, the official inspector's command line and mcporter, on the same servers, and
// prints a table in Markdown.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../suite/services/run-program.js';
import { features } from './features.js';
import { commands, serveEverything } from './servers.js';

/** @typedef {import('./features.js').ToolName} ToolName */

const here = fileURLToPath(new URL('.', import.meta.url));
const patience = 60_000;
const modules = join(here, 'node_modules');
const newest = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');

/** @type {Readonly<Record<ToolName, { title: string, program: readonly string[] }>>} */
const tools = {
  tenon: { title: 'tenon', program: [process.execPath, join(here, '../../packages/cli/dist/main.js')] },
  inspector: {
    title: titleOf('@modelcontextprotocol/inspector'),
    program: [newest, join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')],
  },
  mcporter: { title: titleOf('mcporter'), program: [newest, join(modules, 'mcporter/dist/cli.js')] },
};

if (!existsSync(newest))
  throw new Error('The other command lines need a newer Node, which is not installed.');
const work = mkdtempSync(join(tmpdir(), 'tenon-compare-'));
const serving = await serveEverything();
try {
  const { url, sse = '' } = serving.addresses;
  const place = { url, sse, ...files() };
  const names = /** @type {ToolName[]} */ (Object.keys(tools));
  console.log(`| feature | ${names.map((name) => tools[name].title).join(' | ')} |`);
  console.log(`|---|${names.map(() => '---|').join('')}`);
  let missed = 0;
  for (const { feature, by } of features) {
    const attempts = by(place);
    const cells = [];
    for (const name of names) {
      const attempt = attempts[name];
      if (attempt === undefined) {
        cells.push('-');
        continue;
      }
      const problem = await tried(tools[name].program, attempt);
      if (name === 'tenon' && problem !== undefined) missed += 1;
      cells.push(problem === undefined ? 'yes' : `no: ${problem}`);
    }
    console.log(`| ${feature} | ${cells.join(' | ')} |`);
  }
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await serving.end();
  rmSync(work, { recursive: true, force: true });
}

/** @param {string} name */
function titleOf(name) {
  const { version } = createRequire(import.meta.url)(join(modules, name, 'package.json'));
  return `${name.replace('@modelcontextprotocol/', 'official ')} ${version}`;
}

/** Writes the files that the features need. */
function files() {
  const [command, ...args] = commands.everything;
  const folder = join(work, 'out');
  const config = join(work, 'mcporter.json');
  const answers = join(work, 'answers.json');
  const cursor = join(work, '.cursor/mcp.json');
  mkdirSync(folder);
  mkdirSync(dirname(cursor));
  writeFileSync(config, JSON.stringify({ mcpServers: { all: { command, args } } }));
  writeFileSync(cursor, JSON.stringify({ mcpServers: { 'in-cursor': { command, args } } }));
  const manifest = { name: 'x', version: '1.0.0', description: 'A server', mcpName: 'io.github.someone/x' };
  writeFileSync(join(work, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    answers,
    JSON.stringify({ '*': { action: 'accept', content: { username: 'ada', email: 'ada@example.com' } } }),
  );
  return { folder, config, answers };
}

/**
 * Runs a program, and returns the reason why the attempt failed; undefined if it did what it should.
 *
 * @param {readonly string[]} program
 * @param {import('./features.js').Attempt} attempt
 */
async function tried(program, { words, input = '', code = 0, stdout, stderr }) {
  const env = { PATH: `${dirname(newest)}:${process.env.PATH}`, HOME: work, NO_COLOR: '1' };
  const ended = await runProgram([...program, ...words], { env, cwd: work, input, patience });
  if (process.env.VERBOSE) console.error(words.join(' '), ended);
  if (ended.code !== code)
    return `exit ${ended.code}${code === 0 ? `, ${firstLine(ended.stderr || ended.stdout)}` : ''}`;
  if (stdout !== undefined && !stdout.test(ended.stdout)) return 'the output does not have it';
  if (stderr !== undefined && !stderr.test(ended.stderr)) return 'stderr does not have it';
  return undefined;
}

/** @param {string} text */
function firstLine(text) {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? 'no output';
  return line.trim().slice(0, 80).replaceAll('|', '\\|').replaceAll(work, '');
}
