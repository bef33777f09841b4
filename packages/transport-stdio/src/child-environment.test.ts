import { describe, expect, it } from 'vitest';
import { inheritedEnvironment } from './child-environment.js';

describe('the inherited environment', () => {
  it('is the list on POSIX', () => {
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

  it('is the list on Windows', () => {
    const names =
      'APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE PROGRAMFILES'.split(
        ' ',
      );
    const from = Object.fromEntries([...names, 'API_KEY', 'HOME'].map((name) => [name, 'x']));
    expect(Object.keys(inheritedEnvironment(from, 'win32'))).toEqual(names);
  });

  it('leaves out shell functions and what is not set', () => {
    expect(inheritedEnvironment({ HOME: '() { :; }; echo', PATH: '/p (x)' }, 'linux')).toEqual({
      PATH: '/p (x)',
    });
  });
});
