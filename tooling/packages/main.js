// `pnpm release:check`: packs all public packages, checks the tarballs, and uses them outside the workspace.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command } from '../suite/command-line.js';
import { Checks, requireNone } from './checks.js';
import { writeExtension } from './extension.js';
import { manifestProblems } from './manifest.js';
import { compile, install, runProgram, writeProject } from './outside.js';
import { pack } from './pack.js';
import { followReadme } from './readme.js';
import { chosenRuntimes, startable } from './runtimes.js';
import { publint, typesOf, unpackedProblems } from './tarball.js';

const help = `Usage: pnpm release:check [options]

Packs all public packages as for a release, and checks
  - package.json, files, licence, README and changelog of each tarball,
  - each tarball with publint and are-the-types-wrong,
  - programs outside the workspace that npm installs from the tarballs: they compile with and without strict checks, import
    every entry, run every command, and call a tool over stdio and over HTTP, on this Node, the newest LTS of Node, Bun and Deno,
  - the first program of the README, by its steps, in an empty folder.

  --only NAMES  runtimes to run the programs on, separated by commas: node (this one), lts, bun, deno
  --help        this text

Prints a line for each check. Exits with 1 if a check failed, and with 2 for wrong arguments.`;

const options = /** @type {const} */ ({
  only: { type: 'string' },
});

const root = fileURLToPath(new URL('../..', import.meta.url));

await command({ name: 'release check', help, options, run: (values) => main(chosenRuntimes(values.only)) });

/** @param {readonly import('./runtimes.js').Runtime[]} runtimes */
async function main(runtimes) {
  const work = mkdtempSync(join(tmpdir(), 'tenon-release-'));
  const checks = new Checks('release check', (line) => console.log(line));
  try {
    const packs = await pack(root, join(work, 'tarballs'));
    await checkTarballs(checks, packs, join(work, 'unpacked'));
    const projects = [
      writeProject({ root, folder: join(work, 'outside'), packs }),
      writeExtension({ root, folder: join(work, 'extension'), packs }),
    ];
    await checks.run('README.md: a server and a client', () =>
      followReadme({ root, folder: join(work, 'readme'), packs, heading: 'A server and a client' }),
    );
    const built = [];
    for (const project of projects) if (await build(checks, project)) built.push(project);
    for (const runtime of runtimes) await runAll(checks, runtime, built);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(checks.summary);
  process.exitCode = checks.failed === 0 ? 0 : 1;
}

/**
 * @param {Checks} checks
 * @param {import('./pack.js').Pack[]} packs
 * @param {string} folder to unpack in
 */
async function checkTarballs(checks, packs, folder) {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = String(packs[0]?.manifest.version);
  for (const one of packs) {
    const { name, manifest, directory, files, folders } = one;
    await checks.run(`${name} package.json`, () => {
      const { url } = repository;
      requireNone(manifestProblems(manifest, { repository: url, directory, version, folders }));
      return version;
    });
    await checks.run(`${name} files`, async () => {
      requireNone(await unpackedProblems(one, { root, folder: join(folder, directory) }));
      return String(files.length);
    });
    await Promise.all([
      checks.run(`${name} publint`, () => publint(one)),
      checks.run(`${name} are-the-types-wrong`, () => typesOf(one)),
    ]);
  }
}

/**
 * @param {Checks} checks
 * @param {import('./outside.js').Project} project
 * @returns {Promise<boolean>} true if its programs can run
 */
async function build(checks, project) {
  const { name } = project;
  if (!(await checks.run(`${name}: npm install`, () => install(project)))) return false;
  // The types must also compile in projects without strict checks.
  const loose = ['--strict', 'false', '--exactOptionalPropertyTypes', 'false', '--noEmit'];
  await checks.run(`${name}: compile without strict`, () => compile(project, loose));
  return checks.run(`${name}: compile`, () => compile(project));
}

/**
 * @param {Checks} checks
 * @param {import('./runtimes.js').Runtime} runtime
 * @param {import('./outside.js').Project[]} projects
 */
async function runAll(checks, runtime, projects) {
  const { name, title, args } = runtime;
  let program = '';
  const starts = await checks.run(title, async () => {
    const found = await startable(runtime);
    program = found.program;
    return found.version;
  });
  if (!starts) return;
  const servesFetch = name === 'bun' || name === 'deno';
  for (const project of projects) {
    for (const file of [...project.programs, ...(servesFetch ? project.fetchPrograms : [])]) {
      await checks.run(`${title}: ${project.name}/${file}.js`, () =>
        runProgram(project, `dist/${file}.js`, { program, args }),
      );
    }
    for (const file of project.commands) {
      await checks.run(`${title}: ${file} --help`, () =>
        runProgram(project, `node_modules/${file}`, { program, args, words: ['--help'] }),
      );
    }
  }
}
