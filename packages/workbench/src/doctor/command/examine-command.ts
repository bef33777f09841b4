import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { otherBounds } from '@tenon/foundation';
import { stdioTarget } from '@tenon/mcp-client/stdio';
import { inheritedEnvironment } from '@tenon/mcp-transport-stdio/client';
import type { CommandServer } from '../../connections/server-target.js';
import { type Examination, type Finding, failed, isMisuse, passed, warned } from '../examination.js';
import { Contact, type ContactSettings } from '../protocol/contact.js';
import { examineProtocol, introduction } from '../protocol/protocol-steps.js';
import { type CommandSystem, findProgram } from './find-program.js';
import { Observation } from './observation.js';

/** Options of the diagnosis of a command. */
interface CommandCase extends ContactSettings {
  readonly system: CommandSystem;
}

/** Runs all steps for a server that is a command. */
export async function examineCommand(
  examination: Examination,
  target: CommandServer,
  options: CommandCase,
): Promise<void> {
  const { system } = options;
  await examination.run({ id: 'folder', title: 'Working folder', work: () => examineFolder(target, system) });
  await examination.run({
    ...{ id: 'program', title: 'Program', needs: ['folder'] },
    work: () => findProgram(target, system),
  });
  await examination.run({
    id: 'environment',
    title: 'Environment',
    work: () => examineEnvironment(target, system),
  });
  const observation = new Observation();
  const contact = new Contact(() => observed(target, observation), {
    ...options,
    connectTimeout: options.timeout,
  });
  try {
    await examineProcess(examination, contact, { observation, env: system.env });
  } finally {
    await contact.close();
  }
}

/** Runs the steps that start the process. */
async function examineProcess(examination: Examination, contact: Contact, start: StartCase): Promise<void> {
  const { observation } = start;
  await examination.run({
    // The connection has limits of its own, of 1.5 times this in all, and explains more: this one is for what they do not see.
    ...{ id: 'start', title: 'Start', needs: ['program'], timeout: 4 * examination.timeout },
    work: () => examineStart(examination, contact, start),
  });
  await examination.run({
    ...{ id: 'revision', title: 'Revision', needs: ['start'] },
    work: async () => passed(introduction(await contact.client())),
  });
  await examineProtocol(examination, contact);
  // The lists may print as well.
  await examination.run({
    ...{ id: 'stderr', title: 'stderr', needs: ['start'] },
    work: () => observation.stderrFinding(),
  });
  await examination.run({
    // Lines on stdout may be the reason why the start failed.
    ...{ id: 'stdout', title: 'stdout', needs: observation.hasStrayLines ? [] : ['start'] },
    work: () => observation.stdoutFinding(contact.problems),
  });
  await examination.run({
    ...{ id: 'end', title: 'End', needs: ['start'] },
    work: () => examineEnd(examination, contact, observation),
  });
}

function observed(target: CommandServer, observation: Observation) {
  const { command, args, env, cwd } = target;
  const dialer = stdioTarget({
    ...{ command, args, ...otherBounds({ exitGraceMs: 500 }) },
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
    stderr: (line) => observation.stderr(line),
    onStrayLine: (line) => observation.stray(line),
    kill: (pid, signal) => observation.kill(pid, signal),
  });
  return { ...dialer, restartable: false };
}

async function examineFolder(target: CommandServer, { cwd }: CommandSystem): Promise<Finding> {
  const folder = resolve(cwd, target.cwd ?? '.');
  const known = await stat(folder).catch(() => undefined);
  if (known?.isDirectory() === true) return passed(folder);
  return failed('usage', `${folder} ${known === undefined ? 'does not exist' : 'is not a folder'}`, {
    fix: 'Give an existing folder with --cwd.',
  });
}

/** Clients pass few variables on, so a server that works in a shell may lack some. */
function examineEnvironment({ env = {}, file }: CommandServer, system: CommandSystem): Finding {
  if (file !== undefined)
    return passed('all variables of this process, as with "tenon dev"; a client passes fewer');
  const empty = Object.keys(env).filter((name) => env[name] === '');
  const unexpanded = Object.keys(env).filter((name) =>
    /^\$\{[^}]*\}$|^\$\w+$|^<[^>]+>$/.test(env[name] ?? ''),
  );
  if (empty.length > 0)
    return warned(`${empty.join(', ')} ${empty.length === 1 ? 'is' : 'are'} empty`, {
      fix: 'Give the variable a value, or remove it: an empty variable is not the same as none.',
    });
  if (unexpanded.length > 0)
    return warned(`${unexpanded.join(', ')} contains a placeholder that nothing replaces`, {
      fix: 'Write the value itself: most clients do not expand variables.',
    });
  const inherited = Object.keys(inheritedEnvironment(system.env, system.platform)).length;
  const own = Object.keys(env);
  const given = own.length === 0 ? 'none of its own' : own.join(', ');
  return passed(`${inherited} variables are inherited (PATH, HOME and such), and ${given}`);
}

interface StartCase extends Pick<CommandSystem, 'env'> {
  readonly observation: Observation;
}

async function examineStart(
  examination: Examination,
  contact: Contact,
  { observation, env }: StartCase,
): Promise<Finding> {
  const started = examination.clock.now();
  try {
    await contact.client();
  } catch (error) {
    examination.signal.throwIfAborted();
    if (isMisuse(error)) throw error;
    return observation.failedStart(error, { problems: contact.problems, env });
  }
  const ms = Math.round(examination.clock.now() - started);
  return passed(`answered after ${ms} ms`);
}

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#stdio */
async function examineEnd(
  examination: Examination,
  contact: Contact,
  observation: Observation,
): Promise<Finding> {
  const started = examination.clock.now();
  await contact.close();
  const ms = Math.round(examination.clock.now() - started);
  const { strongest } = observation;
  if (strongest === undefined) return passed(`ended ${ms} ms after stdin closed`);
  return warned(`did not end when stdin closed: it took ${strongest}`, {
    fix: 'End the process when stdin ends: close timers, pools and watchers in process.stdin.on("end", ...).',
  });
}
