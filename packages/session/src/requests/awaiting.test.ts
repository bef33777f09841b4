import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { expect, test } from 'vitest';
import { call, deferred, Held, Rig, request } from '../../test/rig.js';

test('a request waits for its peer only while an input request is open', async () => {
  const held = new Held();
  const requests = { 'tools/call': held.handle };
  new Rig({ revision: revision20251125, requests }).hand(request(1, 'tools/call', call()));
  const [incoming] = held.requests;
  for (const end of ['resolve', 'reject'] as const) {
    const open = deferred();
    const asked = incoming?.awaiting(open.promise).catch(() => undefined);
    expect(incoming?.awaitsPeer).toBe(true);
    open[end]({});
    await asked;
    expect(incoming?.awaitsPeer).toBe(false);
  }
});
