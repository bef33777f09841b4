import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** What to hand to `spawn`. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  /** True when the arguments are quoted already and must reach the program as they are. */
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
 * How to start a command on Windows. Programs start directly; command shims such as `npx.cmd` need the command
 * interpreter, and their arguments are quoted so that none of them can be read as a command.
 * @param exists - tells whether a file is there.
 * @throws TypeError when an argument for a shim holds a line break or a null character, which cannot be quoted.
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
  // /e:on gives the empty expansion that quoting uses, /v:off takes the meaning from exclamation marks.
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
 * Quotes one argument both for the command interpreter, which doubles quotes and knows no backslash escapes, and for
 * the program behind the shim, which reads backslashes before a quote. A percent sign gets an empty expansion in front.
 */
function quoteForShim(argument: string): string {
  if (/[\r\n\0]/.test(argument)) {
    throw new TypeError(
      'An argument for a Windows command script cannot hold line breaks or null characters.',
    );
  }
  const quoted = argument
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%');
  return `"${quoted}"`;
}
