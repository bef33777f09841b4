import { describe, expect, it } from 'vitest';
import { stateFolder } from './client-environment.js';

describe('stateFolder', () => {
  it.each([
    ['linux', '/home/ada', { XDG_STATE_HOME: '/state' }, '/state'],
    ['linux', '/home/ada', { XDG_STATE_HOME: 'relative' }, '/home/ada/.local/state'],
    ['darwin', '/Users/ada', {}, '/Users/ada/Library/Application Support'],
    ['win32', 'C:\\Users\\Ada', { LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local'],
    ['win32', 'C:\\Users\\Ada', {}, 'C:\\Users\\Ada\\AppData\\Local'],
  ])('is the state folder of %s in %s with %j', (...row) => {
    const [platform, home, env, path] = row;
    expect(stateFolder({ platform, home, env, cwd: home })).toBe(path);
  });
});
