import { expect, it } from 'vitest';
import { rig } from '../../../test/client-rig.js';

const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

it('fails the request when an unusable event id follows a usable one', async () => {
  const { server, ask } = await rig((call) => {
    if (call.method === 'POST') {
      call.events();
      call.event('', { id: 'e-1' });
      call.event(notice, { id: 'æøå' });
    }
    call.end();
  });
  await expect(ask(1)).rejects.toThrow('ended the stream before the answer');
  expect(server.calls.filter((call) => call.method === 'GET')).toEqual([]);
});
