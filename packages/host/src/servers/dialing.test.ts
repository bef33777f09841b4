import { expect, it } from 'vitest';
import { info } from '../../test/hosted.js';
import { dialing } from './dialing.js';
import type { ServerSettings } from './server-settings.js';

const url = 'https://notes.example/mcp';

it.each<[string, ServerSettings]>([
  ['an object', { target: url, headers: { authorization: 'Bearer shared', 'X-Trace': '1' } }],
  ['a function', { target: url, headers: () => ({ AUTHORIZATION: 'Bearer shared', 'x-trace': '1' }) }],
])('sends the header of the user in place of that of the settings, which are %s', async (_, settings) => {
  const { options } = await dialing({
    ...{ name: 'notes', user: 'ada', settings, options: { info, extensions: [] } },
    vault: { credentialsFor: async () => ({ headers: { Authorization: 'Bearer of-ada' } }) },
    mayPrompt: () => false,
    permit: async () => undefined,
  });
  const { headers } = options;
  expect(typeof headers === 'function' ? await headers() : headers).toEqual({
    authorization: 'Bearer of-ada',
    'x-trace': '1',
  });
});
