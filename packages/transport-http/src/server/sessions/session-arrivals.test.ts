import { describe, expect, it, onTestFinished } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication } from '../../../test/fake-application.js';
import { FakeCluster, FakeProcess } from '../../../test/fake-cluster.js';

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

/** Returns a process that does not receive messages of others before `listen` is called. */
function deafProcess(cluster: FakeCluster): { process: FakeProcess; listen: () => void } {
  const application = new FakeApplication();
  const { clock, onError } = application;
  const node = cluster.memory.open().join({ clock, onError });
  onTestFinished(() => node.close());
  let listen = () => {};
  const ready = new Promise<void>((resolve) => {
    listen = resolve;
  });
  Object.defineProperty(node, 'ready', { value: ready });
  node.joined = () => ready;
  node.handle = () => () => true;
  application.cluster = node;
  return { process: new FakeProcess({}, application), listen };
}

describe('a session that ends while another process restores it', () => {
  it('is unknown there when the process did not receive the end', async () => {
    const cluster = new FakeCluster();
    const first = await cluster.process();
    const { process, listen } = deafProcess(cluster);
    const session = await first.opened();
    const call = process.post(ping, session);
    await settled();
    expect((await first.delete(session).done()).status).toBe(204);
    listen();
    expect((await call.done()).status).toBe(404);
  });

  it('is unknown there when the end arrives before the record', async () => {
    const cluster = new FakeCluster();
    const [first, second] = [await cluster.process(), await cluster.process()];
    const session = await first.opened();
    const { kv } = second.application.cluster?.state ?? cluster.state;
    const get = kv.get.bind(kv);
    kv.get = async (key) => {
      const found = await get(key);
      kv.get = get;
      await first.delete(session).done();
      await settled();
      return found;
    };
    expect((await second.post(ping, session).done()).status).toBe(404);
  });
});
