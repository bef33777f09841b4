import { randomBytes } from 'node:crypto';
import { connect, textOf } from '@tenon/mcp-client';
import { type Task, tasks } from '@tenon/mcp-tasks/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ServerProcess, type SharedState } from './server-process.js';

const core = '2025-11-25';
const extension = '2026-07-28';

/** The tests of processes that share a state. */
export function describeTakeOver(kind: SharedState['kind'], startShared: () => Promise<SharedState>): void {
  describe(`processes that share ${kind}`, () => {
    let shared: SharedState;

    beforeAll(async () => {
      shared = await startShared();
    });
    afterAll(() => shared?.close());

    it.each([core, extension])(
      'continues a task after its process was killed in the middle (%s)',
      async (revision) => {
        const { first, second, client, created, moveTo } = await start(shared, revision);
        const call = client.callTool('pack');
        const taskId = await created;
        await first.stopped();
        await first.kill();
        expect(await shared.expire(taskId)).toBe(1);
        await moveTo(second);
        expect(textOf((await call).content)).toBe(JSON.stringify([first.pid, second.pid]));
        expect([first.steps, second.steps]).toEqual([['pack'], ['ship']]);
      },
    );

    it.each([core, extension])(
      'continues a task after its process was killed while it waited for input (%s)',
      async (revision) => {
        const { first, second, client, created, moveTo, elicitation } = await start(shared, revision);
        const call = client.callTool('confirm');
        const taskId = await created;
        await elicitation.began;
        await first.kill();
        expect(await shared.expire(taskId)).toBe(1);
        await moveTo(second);
        elicitation.agree();
        expect(textOf((await call).content)).toBe(JSON.stringify([first.pid, second.pid]));
        expect([first.steps, second.steps]).toEqual([['price'], ['charge: true']]);
      },
    );
  });
}

/** Starts two processes, and connects a client that sends its requests to the first one. */
async function start(shared: SharedState, revision: string) {
  const stateKey = randomBytes(32).toString('base64');
  const first = ServerProcess.start(shared, { stateKey, stops: true });
  const second = ServerProcess.start(shared, { stateKey, stops: false });
  onTestFinished(() => Promise.all([first.kill(), second.kill()]).then(() => undefined));
  let port = await first.port();
  // As behind a load balancer: one address for both.
  const moved = (given: string) => Object.assign(new URL(given), { port });
  const [created, began, agreed] = [new Gate(), new Gate(), new Gate()];
  let task = '';
  const onTask = ({ taskId }: Task) => {
    task = taskId;
    created.open();
  };
  const client = await connect('http://127.0.0.1:9/mcp', {
    info: { name: 'processes', version: '1.0.0' },
    revision,
    fetch: (url, init) => fetch(moved(url), init),
    reconnect: { delay: 1, maxDelay: 1 },
    extensions: [tasks({ onTask })],
    onElicit: async () => {
      began.open();
      await agreed.passed;
      return { action: 'accept', content: { agree: true } };
    },
  });
  onTestFinished(() => client.close());
  await client.tools().all();
  return {
    first,
    second,
    client,
    created: created.passed.then(() => task),
    elicitation: { began: began.passed, agree: agreed.open },
    moveTo: async (process: ServerProcess) => {
      port = await process.port();
    },
  };
}

/** A promise that the test resolves. */
class Gate {
  readonly passed: Promise<void>;
  open: () => void = () => {};

  constructor() {
    this.passed = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}
