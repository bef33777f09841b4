import { revision20250618 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { notification, Rig } from '../../test/rig.js';

const client = () => new Rig({ side: 'client', revision: revision20250618 });
const result = (id: unknown, value: object = {}) => ({ jsonrpc: '2.0', id, result: value });
const tool = { name: 'x' };
/** A session of several processes that differs in its ids only. */
const shared = { isServedElsewhere: false, lacksStream: false, saveSettings: async () => {} };

describe('requests on a connection with an id prefix', () => {
  test('have ids with the prefix, and receive their answers and progress', async () => {
    const rig = client();
    rig.connection.shared = { ...shared, idPrefix: 'abc-' };
    const progress: unknown[] = [];
    const answer = rig.endpoint.request('tools/call', tool, { onProgress: (one) => progress.push(one) });
    const [sent] = rig.connection.sent;
    expect([sent?.id, sent?.params?._meta]).toEqual(['abc-1', { progressToken: 'abc-1' }]);
    rig.hand(notification('notifications/progress', { progressToken: 'abc-1', progress: 1 }));
    rig.hand(notification('notifications/progress', { progressToken: 'xyz-1', progress: 2 }));
    rig.hand(result('xyz-1', { content: [] }));
    expect([progress, rig.endpoint.pending]).toEqual([[{ progress: 1 }], 1]);
    rig.hand(result('abc-1', { content: [] }));
    expect(await answer).toEqual({ content: [] });
  });

  test('are cancelled and fail by those ids', async () => {
    const rig = client();
    rig.connection.shared = { ...shared, idPrefix: 'abc-' };
    const controller = new AbortController();
    const answer = rig.endpoint.request('tools/call', tool, { signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    expect(rig.connection.last.params).toMatchObject({ requestId: 'abc-1' });
    rig.connection.onSend = () => Promise.reject(new Error('The wire is cut.'));
    await expect(rig.endpoint.request('tools/call', tool)).rejects.toThrow('The wire is cut.');
    expect(rig.endpoint.pending).toBe(0);
  });
});
