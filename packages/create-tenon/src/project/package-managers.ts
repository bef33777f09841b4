import { CreateError } from '../failure.js';

/** The name of a package manager. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The words of a package manager, for texts and files. */
interface Commands {
  /** Runs a script of package.json. */
  readonly run: string;
  /** Runs a program of a dependency. */
  readonly exec: string;
  /** Installs all dependencies. */
  readonly install: string;
  /** The file with the versions of all dependencies. */
  readonly lockFile: string;
  /** Installs the versions of that file, in an image that has npm only. */
  readonly dockerInstall: string;
  /** Removes development dependencies in that image. */
  readonly dockerPrune: string;
}

const commands: Readonly<Record<PackageManager, Commands>> = {
  npm: {
    run: 'npm run',
    exec: 'npx',
    install: 'npm install',
    lockFile: 'package-lock.json',
    dockerInstall: 'npm ci',
    dockerPrune: 'npm prune --omit=dev',
  },
  pnpm: {
    run: 'pnpm run',
    exec: 'pnpm exec',
    install: 'pnpm install',
    lockFile: 'pnpm-lock.yaml',
    dockerInstall: 'npm install --global pnpm && pnpm install --frozen-lockfile',
    dockerPrune: 'CI=true pnpm prune --prod',
  },
  yarn: {
    run: 'yarn run',
    exec: 'yarn run',
    install: 'yarn install',
    lockFile: 'yarn.lock',
    dockerInstall: 'yarn install --frozen-lockfile',
    dockerPrune: 'yarn install --production --ignore-scripts',
  },
  bun: {
    run: 'bun run',
    exec: 'bunx',
    install: 'bun install',
    lockFile: 'bun.lock',
    dockerInstall: 'npm install --global bun && bun install --frozen-lockfile',
    dockerPrune: 'rm -rf node_modules && bun install --production',
  },
};

/** Returns the words of a package manager. */
export function commandsOf(manager: PackageManager): Commands {
  return commands[manager];
}

/**
 * Returns a package manager by its name.
 * @throws CreateError if it is not known.
 */
export function requirePackageManager(name: string): PackageManager {
  if (Object.hasOwn(commands, name)) return name as PackageManager;
  throw new CreateError(`There is no package manager ${JSON.stringify(name)}.`, {
    hint: `Package managers: ${Object.keys(commands).join(', ')}.`,
  });
}

/**
 * Returns the package manager that started this program; npm if that is not known.
 * @param userAgent - `npm_config_user_agent`, such as `pnpm/10.34.8 npm/? node/v20.20.2 linux x64`.
 */
export function runningPackageManager(userAgent: string | undefined): PackageManager {
  const [, name = ''] = /^([a-z]+)\//.exec(userAgent ?? '') ?? [];
  return Object.hasOwn(commands, name) ? (name as PackageManager) : 'npm';
}
