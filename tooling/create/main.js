// `pnpm create:check`: creates projects from the tarball of create-tenon, and tests, builds, starts and calls each.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Checks } from '../packages/checks.js';
import { pack } from '../packages/pack.js';
import { command } from '../suite/command-line.js';
import { partHelp, partOf } from '../suite/part.js';
import { failedStart, firstCall } from './calls.js';
import { create, useTarballs } from './create.js';
import { chosenProjects, projects } from './projects.js';
import { environment, olderCompiler, succeed } from './tools.js';

const help = `Usage: pnpm create:check [options]

Packs all public packages, and for each template of create-tenon: creates a project from the tarball in an empty folder,
installs it, runs its scripts, compiles it with an older TypeScript, starts it, and calls a tool with its own command line.

  --only NAMES  projects, separated by commas: ${projects.map(({ name }) => name).join(', ')}
  --part K/N    ${partHelp}
  --keep        keep the projects, and print their folder
  --help        this text

Prints a line for each check. Exits with 1 if a check failed, and with 2 for wrong arguments.`;

const options = /** @type {const} */ ({
  only: { type: 'string' },
  part: { type: 'string' },
  keep: { type: 'boolean', default: false },
});

const root = fileURLToPath(new URL('../..', import.meta.url));

await command({
  name: 'create check',
  help,
  options,
  run: (values) => main(partOf(chosenProjects(values.only), values.part), values.keep),
});

/**
 * @param {readonly import('./projects.js').Planned[]} planned
 * @param {boolean} keep
 */
async function main(planned, keep) {
  const work = mkdtempSync(join(tmpdir(), 'tenon-create-'));
  const checks = new Checks('create check', (line) => console.log(line));
  try {
    const packs = await pack(root, join(work, 'tarballs'));
    const folder = join(work, 'projects');
    mkdirSync(folder);
    const open = [...planned];
    const checkNext = async () => {
      for (let one = open.shift(); one !== undefined; one = open.shift())
        await checkProject(checks, one, { folder, packs });
    };
    // Two at a time: installations wait for the disk and the network.
    await Promise.all([checkNext(), checkNext()]);
  } finally {
    if (keep) console.log(`kept: ${work}`);
    else rmSync(work, { recursive: true, force: true });
  }
  console.log(checks.summary);
  process.exitCode = checks.failed === 0 ? 0 : 1;
}

/**
 * @param {Checks} checks
 * @param {import('./projects.js').Planned} planned
 * @param {{ folder: string, packs: import('../packages/pack.js').Pack[] }} options
 */
async function checkProject(checks, planned, { folder, packs }) {
  const { name, scripts, missing, serving, newestNode = false } = planned;
  const env = environment(newestNode);
  let project = '';
  const isCreated = await checks.run(`${name}: create-tenon`, async () => {
    project = await create(planned, { folder, packs, env });
    useTarballs(project, packs);
    return planned.words.join(' ');
  });
  if (!isCreated) return;
  const run = (/** @type {string[]} */ command) => async () => {
    await succeed(command, { cwd: project, env });
    return '';
  };
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'];
  if (!(await checks.run(`${name}: npm install`, run(install)))) return;
  for (const script of scripts) await checks.run(`${name}: npm run ${script}`, run(['npm', 'run', script]));
  if (missing !== undefined)
    await checks.run(`${name}: npm start without settings`, () => failedStart(missing, { project, env }));
  await checks.run(`${name}: TypeScript 5.9`, run([process.execPath, olderCompiler]));
  if (serving !== undefined)
    await checks.run(`${name}: first call`, () => firstCall(serving, { project, env }));
}
