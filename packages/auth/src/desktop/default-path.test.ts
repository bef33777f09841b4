import { describe, expect, it } from 'vitest';
import { defaultPath } from './default-path.js';

const home = '/home/ada';

describe('defaultPath', () => {
  it.each([
    ['linux', {}, '/home/ada/.local/state/tenon/notes-auth.json'],
    ['freebsd', {}, '/home/ada/.local/state/tenon/notes-auth.json'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/tenon/notes-auth.json'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/ada/.local/state/tenon/notes-auth.json'],
    ['linux', { XDG_STATE_HOME: '' }, '/home/ada/.local/state/tenon/notes-auth.json'],
    ['darwin', { XDG_STATE_HOME: '/state' }, '/home/ada/Library/Application Support/tenon/notes-auth.json'],
  ])('is in the state folder on %s with %o', (platform, env, path) => {
    expect(defaultPath('notes', { platform, env, home })).toBe(path);
  });

  it.each([
    [{ LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\tenon\\notes-auth.json'],
    [{}, 'C:\\Users\\Ada\\AppData\\Local\\tenon\\notes-auth.json'],
    [{ LOCALAPPDATA: 'Local' }, 'C:\\Users\\Ada\\AppData\\Local\\tenon\\notes-auth.json'],
  ])('is in the local application data on Windows with %o', (env, path) => {
    expect(defaultPath('notes', { platform: 'win32', env, home: 'C:\\Users\\Ada' })).toBe(path);
  });

  it.each([
    ['My Notes', 'my-notes-'],
    ['my_notes', 'my-notes-'],
    ['../../etc/passwd', 'etc-passwd-'],
    ['\u{1F4D3}', ''],
    ['CON', 'con-'],
    ['-', ''],
  ])('turns the name %s into a unique file name, without folders and devices', (name, start) => {
    const file = defaultPath(name, { platform: 'linux', env: {}, home: '/h' });
    expect(file).toMatch(new RegExp(`^/h/\\.local/state/tenon/${start}[0-9a-f]{8}-auth\\.json$`));
    const other = defaultPath(`${name}!`, { platform: 'linux', env: {}, home: '/h' });
    expect(other).not.toBe(file);
  });

  it('is short enough for every file system', () => {
    const path = defaultPath('long'.repeat(100), { platform: 'linux', env: {}, home: '/h' });
    expect(path.length).toBeLessThan(120);
  });
});
