import { describe, expect, it } from 'vitest';
import { childFailure, type FailedChild } from './child-failure.js';

const base: FailedChild = {
  command: 'npx',
  args: ['-y', 'server'],
  cwd: undefined,
  exit: { code: 1, signal: null },
  hasReceived: true,
  strayLines: [],
  stderr: [],
};
const message = (child: Partial<FailedChild>) => childFailure({ ...base, ...child }).message;
const refused = (code: string) => ({
  code: null,
  signal: null,
  error: Object.assign(new Error(`spawn npx ${code}`), { code }),
});

describe('childFailure', () => {
  it('names the exit code, the signal or the start error', () => {
    expect(message({})).toBe('"npx -y server" exited with code 1.');
    expect(message({ exit: { code: null, signal: 'SIGSEGV' } })).toBe(
      '"npx -y server" was ended by SIGSEGV.',
    );
    expect(message({ exit: undefined })).toBe('"npx -y server" closed its output.');
    expect(message({ hasReceived: false })).toBe(
      'Could not start "npx -y server": it exited with code 1 before it sent a message.',
    );
    expect(message({ hasReceived: false, exit: refused('EACCES') })).toBe(
      'Could not start "npx -y server": it may not be executed (EACCES).',
    );
    expect(message({ hasReceived: false, exit: refused('EAGAIN') })).toContain('spawn npx EAGAIN');
  });

  it('gives a hint when the command was not found, by a shell too', () => {
    for (const exit of [refused('ENOENT'), { code: 127, signal: null }, { code: 9009, signal: null }]) {
      expect(message({ hasReceived: false, exit })).toMatch(/ Is it installed and on PATH\?$/);
    }
    expect(message({ exit: { code: 127, signal: null } })).not.toContain('PATH');
    expect(message({ hasReceived: false, cwd: '/no/such/folder', exit: refused('ENOENT') })).toBe(
      'Could not start "npx -y server": it should run in /no/such/folder, which does not exist.',
    );
  });

  it('ends with the last lines on stderr', () => {
    expect(message({ stderr: ['one', 'two'] })).toBe(
      '"npx -y server" exited with code 1.\nIts last lines on stderr:\n  one\n  two',
    );
  });

  it('has the exit code as status, and the cause', () => {
    expect(childFailure(base).status).toBe(1);
    const exit = refused('ENOENT');
    expect(childFailure({ ...base, exit })).toMatchObject({ status: undefined, cause: exit.error });
  });

  it('omits values of options that sound secret, and fits one line', () => {
    const args = ['--api-key', 'k1', '--token=k2', '-y', '--password', 'k3', 'server', '--author'];
    expect(message({ args })).toContain('"npx --api-key ... --token=... -y --password ... server --author"');
    expect(message({ args: ['x\n\ty'.repeat(200)] }).length).toBeLessThan(240);
    expect(message({ args: ['a\nb'] })).toContain('"npx a b"');
  });
});
