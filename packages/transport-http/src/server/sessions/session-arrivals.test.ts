import { describe, expect, it, onTestFinished } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication } from '../../../test/fake-application.js';
import { FakeProcess, FakeProcesses } from '../../../test/fake-processes.js';

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

/** Returns a process that does not receive messages of others before `listen` is called. */
function deafProcess(processes: FakeProcesses): { process: FakeProcess; listen: () => void } {
  const application = new FakeApplication();
  const { clock, onError } = application;
  const node = processes.memory.open().join({ clock, onError });
  onTestFinished(() => node.close());
  let listen = () => {};
  const joined = new Promise<void>((resolve) => {
    listen = resolve;
  });
  Object.defineProperty(node, 'joined', { value: joined });
  node.waitUntilJoined = () => joined;
  node.handle = () => () => true;
  application.processes = node;
  return { process: new FakeProcess({}, application), listen };
}

describe('a session that ends while another process restores it', () => {
  it('is unknown there when the process did not receive the end', async () => {
    const processes = new FakeProcesses();
    const first = await processes.process();
    const { process, listen } = deafProcess(processes);
    const session = await first.opened();
    const call = process.post(ping, session);
    await settled();
    expect((await first.delete(session).done()).status).toBe(204);
    listen();
    expect((await call.done()).status).toBe(404);
  });

  it('is unknown there when the end arrives before the record', async () => {
    const processes = new FakeProcesses();
    const [first, second] = [await processes.process(), await processes.process()];
    const session = await first.opened();
    const { kv } = second.application.processes?.state ?? processes.state;
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
