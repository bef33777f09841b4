import { spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../packages/commands.js';
import { succeed } from './tools.js';

/** @typedef {{ project: string, env: Record<string, string> }} Place */

const tenon = ['node', 'node_modules/tenon/dist/main.js'];

/**
 * Starts the server of a project, and calls a tool with the command line that the project has.
 *
 * @param {import('./projects.js').Serving} serving
 * @param {Place} place
 * @returns {Promise<string>} a remark
 */
export async function firstCall(serving, { project, env }) {
  if (serving.kind === 'stdio') return call(['--', ...serving.command], { project, env });
  const folder = serving.installed ? await installed({ project, env }) : project;
  const server = await start(serving, { project: folder, env: { ...env, ...serving.env } });
  try {
    const url = `${server.origin.replace('0.0.0.0', '127.0.0.1')}/mcp`;
    return serving.refuses ? await refusal(url, { project, env }) : await call([url], { project, env });
  } finally {
    await server.stop();
  }
}

/**
 * Starts a server that lacks its settings.
 *
 * @param {string} message the error that must be printed
 * @param {Place} place
 * @returns {Promise<string>} a remark
 */
export async function failedStart(message, { project, env }) {
  const { ok, output } = await run('npm', ['start'], { cwd: project, env });
  if (ok || !output.includes(message)) throw new Error(`npm start printed\n${output}`);
  return message;
}

/**
 * @param {string[]} server the words that name the server
 * @param {Place} place
 */
async function call(server, { project, env }) {
  const target = server[0] === '--' ? { before: [], after: server } : { before: server, after: [] };
  const words = ['call', ...target.before, 'convert_length', 'value=3', 'from=km', 'to=m'];
  const stdout = await succeed([...tenon, ...words, '--json', ...target.after], { cwd: project, env });
  if (!/"value":\s*3000\b/.test(stdout)) throw new Error(`tenon ${words.join(' ')} printed\n${stdout}`);
  return '3 km are 3000 m';
}

/**
 * @param {string} url
 * @param {Place} place
 */
async function refusal(url, { project, env }) {
  const [program = '', ...args] = tenon;
  const words = [...args, 'list', url, '--json'];
  const { ok, output } = await run(program, words, { cwd: project, env });
  if (ok || !/"exitCode":3\b/.test(output)) throw new Error(`tenon list ${url} printed\n${output}`);
  return 'it requires an access token';
}

/**
 * Copies what the Dockerfile copies into the last stage.
 *
 * @param {Place} place
 * @returns {Promise<string>} the folder
 */
async function installed({ project, env }) {
  const folder = `${project}-image`;
  mkdirSync(folder);
  for (const part of ['package.json', 'node_modules', 'dist'])
    cpSync(join(project, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  await succeed(['npm', 'prune', '--omit=dev', '--prefer-offline'], { cwd: folder, env });
  return folder;
}

/**
 * Starts a server in a process group of its own, and waits for its address.
 *
 * @param {import('./projects.js').Http} serving
 * @param {Place} place
 * @returns {Promise<{ origin: string, stop: () => Promise<void> }>}
 */
function start({ command: [program = '', ...args], ready }, { project, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: project,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((done) => child.once('close', done));
    const stop = async () => {
      // The group: npm starts a shell, which starts the server.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      await ended;
    };
    let output = '';
    const deadline = setTimeout(() => void stop(), 60_000);
    const fail = () => reject(new Error(`${[program, ...args].join(' ')} does not serve\n${output}`));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-100_000);
        const [, origin] = ready.exec(output) ?? [];
        if (origin === undefined) return;
        clearTimeout(deadline);
        resolve({ origin, stop });
      });
    }
    child.once('error', fail);
    child.once('close', () => {
      clearTimeout(deadline);
      fail();
    });
  });
}
