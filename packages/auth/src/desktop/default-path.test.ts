import { describe, expect, it } from 'vitest';
import { defaultPath } from './default-path.js';

const home = '/home/ada';

describe('the default path', () => {
  it.each([
    ['linux', {}, '/home/ada/.local/state/tenon/notes-auth.json'],
    ['freebsd', {}, '/home/ada/.local/state/tenon/notes-auth.json'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/tenon/notes-auth.json'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/ada/.local/state/tenon/notes-auth.json'],
    ['linux', { XDG_STATE_HOME: '' }, '/home/ada/.local/state/tenon/notes-auth.json'],
    ['darwin', { XDG_STATE_HOME: '/state' }, '/home/ada/Library/Application Support/tenon/notes-auth.json'],
  ])('on %s with %o', (platform, env, path) => {
    expect(defaultPath('notes', { platform, env, home })).toBe(path);
  });

  it.each([
    [{ LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\tenon\\notes-auth.json'],
    [{}, 'C:\\Users\\Ada\\AppData\\Local\\tenon\\notes-auth.json'],
    [{ LOCALAPPDATA: 'Local' }, 'C:\\Users\\Ada\\AppData\\Local\\tenon\\notes-auth.json'],
  ])('on Windows with %o', (env, path) => {
    expect(defaultPath('notes', { platform: 'win32', env, home: 'C:\\Users\\Ada' })).toBe(path);
  });

  it.each([
    ['My Notes', 'my-notes-a3f4bd10-auth.json'],
    ['my-notes', 'my-notes-auth.json'],
    ['my_notes', 'my-notes-a1aa6ee0-auth.json'],
    ['../../etc/passwd', '-etc-passwd-a9a26bd3-auth.json'],
    ['\u{1F4D3}', '--6e0b0d7d-auth.json'],
    ['CON', 'con-e2ee8a8a-auth.json'],
  ])('has a file of its own for %s', (name, file) => {
    expect(defaultPath(name, { platform: 'linux', env: {}, home: '/h' })).toBe(
      `/h/.local/state/tenon/${file}`,
    );
  });

  it('has a name that is short enough for every file system', () => {
    const path = defaultPath('long'.repeat(100), { platform: 'linux', env: {}, home: '/h' });
    expect(path.length).toBeLessThan(120);
  });
});
