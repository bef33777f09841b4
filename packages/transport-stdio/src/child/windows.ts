import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** The arguments for `spawn`. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  /** True if the arguments are already quoted and must be passed unchanged. */
  readonly verbatim: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Ends a process and all its descendants. */
export function endProcessTree(pid: number): void {
  const ender = spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
  ender.on('error', () => {});
  ender.unref();
}

/**
 * Returns how to start a command on Windows. Programs start directly; command shims such as `npx.cmd` need the command
 * interpreter, and their arguments are quoted so that none of them can be read as a command.
 * @param exists - true if a file exists.
 * @throws TypeError if an argument for a shim contains a line break or a null character, which cannot be quoted.
 */
export function windowsInvocation(
  command: string,
  args: readonly string[],
  { env, exists = existsSync }: { env: Environment; exists?: (path: string) => boolean },
): Invocation {
  const file = findCommand(command, env, exists);
  if (!/\.(?:cmd|bat)$/i.test(file)) return { command: file, args, verbatim: false };
  const line = [file, ...args].map(quoteForShim).join(' ');
  const root = env.SYSTEMROOT ?? env.SystemRoot;
  const interpreter = root === undefined ? 'cmd.exe' : win32.join(root, 'System32', 'cmd.exe');
  // /e:on allows the empty expansion that quoting uses, /v:off disables exclamation marks.
  return { command: interpreter, args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function findCommand(command: string, env: Environment, exists: (path: string) => boolean): string {
  const known = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const extensions = win32.extname(command) === '' ? known : ['', ...known];
  const folders = /[\\/:]/.test(command) ? [''] : (env.PATH ?? env.Path ?? '').split(';').filter(Boolean);
  for (const folder of folders) {
    for (const extension of extensions) {
      const file = folder === '' ? command + extension : win32.join(folder, command + extension);
      if (exists(file)) return file;
    }
  }
  return command;
}

/**
 * Quotes one argument both for the command interpreter, which doubles quotes and has no backslash escapes, and for the program
 * behind the shim, which reads backslashes before a quote. A percent sign gets an empty expansion before it.
 */
function quoteForShim(argument: string): string {
  if (/[\r\n\0]/.test(argument)) {
    throw new TypeError(
      'An argument for a Windows command script cannot contain line breaks or null characters.',
    );
  }
  const quoted = argument
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%');
  return `"${quoted}"`;
}
