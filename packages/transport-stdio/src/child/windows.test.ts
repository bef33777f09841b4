import { describe, expect, it } from 'vitest';
import { windowsInvocation } from './windows.js';

const env = { PATH: 'C:\\tools;C:\\node', PATHEXT: '.EXE;.CMD', SYSTEMROOT: 'C:\\Windows' };
const files = ['C:\\tools\\tool.v2.CMD', 'C:\\node\\npx.CMD', 'C:\\node\\node.EXE', 'C:\\app\\run.bat'];
const exists = (path: string) => files.includes(path);
const invoke = (command: string, args: string[]) => windowsInvocation(command, args, { env, exists });

describe('windowsInvocation', () => {
  it('starts a program directly', () => {
    expect(invoke('node', ['a b', '%x%'])).toEqual({
      command: 'C:\\node\\node.EXE',
      args: ['a b', '%x%'],
      verbatim: false,
    });
  });

  it('leaves an unknown command to the system', () => {
    expect(invoke('missing', ['a'])).toEqual({ command: 'missing', args: ['a'], verbatim: false });
  });

  it('starts a shim through the command interpreter', () => {
    expect(invoke('npx', ['-y', 'pkg'])).toEqual({
      command: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/e:on', '/v:off', '/d', '/s', '/c', '""C:\\node\\npx.CMD" "-y" "pkg""'],
      verbatim: true,
    });
  });

  it('finds a shim with a dot in its name', () => {
    expect(invoke('tool.v2', []).args.at(-1)).toBe('""C:\\tools\\tool.v2.CMD""');
  });

  it('uses a path unchanged', () => {
    expect(invoke('C:\\app\\run.bat', []).args.at(-1)).toBe('""C:\\app\\run.bat""');
  });

  it('quotes arguments so that none ends its quotes or is expanded', () => {
    const quoted = (argument: string) =>
      invoke('npx', [argument]).args.at(-1)?.slice('""C:\\node\\npx.CMD" '.length, -1);
    expect(quoted('a & calc.exe')).toBe('"a & calc.exe"');
    expect(quoted('a" & calc.exe "')).toBe('"a"" & calc.exe """');
    expect(quoted('a\\" & calc.exe')).toBe('"a\\\\"" & calc.exe"');
    expect(quoted('C:\\folder\\')).toBe('"C:\\folder\\\\"');
    expect(quoted('%PATH%')).toBe('"%%cd:~,%PATH%%cd:~,%"');
    expect(quoted('')).toBe('""');
  });

  it('throws for arguments that cannot be quoted', () => {
    for (const bad of ['a\nb', 'a\rb', 'a\0b']) expect(() => invoke('npx', [bad])).toThrow(TypeError);
  });
});
