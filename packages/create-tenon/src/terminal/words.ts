import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { CreateError } from '../failure.js';
import { requireTemplate, type Template } from '../project/choices.js';
import { type PackageManager, requirePackageManager } from '../project/package-managers.js';

/** The streams, the environment and the signal of one run of the program. */
export interface Source {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean };
  readonly error: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder: an absolute path. */
  readonly cwd: string;
  /** Aborts when the user presses Ctrl+C while a command runs. */
  readonly signal: AbortSignal;
}

/** Returns whether a person can be asked: stdin and stderr are terminals, and `CI` is not set. */
export function isInteractive({ input, error, env }: Source): boolean {
  return input.isTTY === true && error.isTTY === true && (env.CI ?? '') === '';
}

/** The arguments of the program. What the user left out is undefined. */
export interface Words {
  readonly folder?: string;
  readonly template?: Template;
  readonly name?: string;
  readonly packageManager?: PackageManager;
  readonly test?: boolean;
  readonly auth?: boolean;
  readonly docker?: boolean;
  readonly install?: boolean;
  readonly git?: boolean;
  readonly yes: boolean;
  readonly force: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const flag = { type: 'boolean' } as const;

const options = {
  template: { type: 'string', short: 't' },
  name: { type: 'string', short: 'n' },
  'package-manager': { type: 'string', short: 'p' },
  test: flag,
  auth: flag,
  docker: flag,
  install: flag,
  git: flag,
  yes: { ...flag, short: 'y' },
  force: { ...flag, short: 'f' },
  json: flag,
  help: { ...flag, short: 'h' },
  version: { ...flag, short: 'V' },
} as const;

export const help = `Usage: npm create tenon@latest [folder] -- [options]

Creates an MCP server in TypeScript. Asks for what is missing, on a terminal.

  -t, --template NAME         stdio (default), http, workers or next
  -n, --name NAME             name in package.json; default: that of the folder
      --auth                  require access tokens (http, workers)
      --docker                add a Dockerfile (http)
      --no-test               leave the test out
  -p, --package-manager NAME  npm, pnpm, yarn or bun; default: the running one
      --no-install            do not install the dependencies
      --no-git                do not make a git repository
  -y, --yes                   ask nothing and use the defaults
  -f, --force                 accept a folder with files, and replace files
      --json                  print the result as JSON, and ask nothing
  -h, --help                  show help
  -V, --version               show the version

Examples:
  npm create tenon@latest my-server
  npm create tenon@latest my-server -- --template http --auth --docker
  pnpm create tenon my-server --template workers --yes
`;

/**
 * Returns the arguments of the program.
 * @throws CreateError if they are wrong.
 */
export function parseWords(words: readonly string[]): Words {
  const { values, positionals } = parsed(words);
  const { template, name, 'package-manager': manager, test, auth, docker, install, git } = values;
  const [folder, other] = positionals;
  if (other !== undefined)
    throw new CreateError(`There is one folder, but ${JSON.stringify(other)} is a second one.`, {
      hint: `Put quotes around a name with spaces.${npmHint}`,
    });
  return {
    ...(folder !== undefined && { folder }),
    ...(template !== undefined && { template: requireTemplate(template) }),
    ...(name !== undefined && { name }),
    ...(manager !== undefined && { packageManager: requirePackageManager(manager) }),
    ...(test !== undefined && { test }),
    ...(auth !== undefined && { auth }),
    ...(docker !== undefined && { docker }),
    ...(install !== undefined && { install }),
    ...(git !== undefined && { git }),
    yes: values.yes === true,
    force: values.force === true,
    json: values.json === true,
    help: values.help === true,
    version: values.version === true,
  };
}

const npmHint = ' With npm: npm create tenon@latest my-server -- --template http.';

/** Options that npm has no meaning for: it removes them from the command, and sets a variable. */
const foreignToNpm = ['template', 'docker', 'package-manager', 'test', 'install'];

/**
 * @param env - the environment of this program.
 * @throws CreateError if npm removed options of this program because there was no `--` before them.
 */
export function requireOptionsFromNpm(env: Readonly<Record<string, string | undefined>>): void {
  const removed = foreignToNpm.filter((name) => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined);
  if (removed.length === 0) return;
  throw new CreateError(`npm removed ${removed.map((name) => `--${name}`).join(', ')} from the command.`, {
    hint: `Write "--" before the options.${npmHint}`,
  });
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    const [text = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new CreateError(`${text.replace(/\.$/, '')}.`, { hint: 'See --help.', cause: error });
  }
}
