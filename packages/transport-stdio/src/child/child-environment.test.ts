import { describe, expect, it } from 'vitest';
import { inheritedEnvironment } from './child-environment.js';

describe('inheritedEnvironment', () => {
  it('returns the listed variables on POSIX', () => {
    const from = {
      HOME: '/h',
      LOGNAME: 'l',
      PATH: '/p',
      SHELL: '/s',
      TERM: 't',
      USER: 'u',
      API_KEY: 'secret',
      TEMP: 'x',
    };
    expect(inheritedEnvironment(from, 'linux')).toEqual({
      HOME: '/h',
      LOGNAME: 'l',
      PATH: '/p',
      SHELL: '/s',
      TERM: 't',
      USER: 'u',
    });
  });

  it('returns the listed variables on Windows', () => {
    const names =
      'APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE PROGRAMFILES'.split(
        ' ',
      );
    const from = Object.fromEntries([...names, 'API_KEY', 'HOME'].map((name) => [name, 'x']));
    expect(Object.keys(inheritedEnvironment(from, 'win32'))).toEqual(names);
  });

  it('leaves out shell functions and unset variables', () => {
    expect(inheritedEnvironment({ HOME: '() { :; }; echo', PATH: '/p (x)' }, 'linux')).toEqual({
      PATH: '/p (x)',
    });
  });
});
