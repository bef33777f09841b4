import { SharedMemory } from '@tenon/mcp-state/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { FakeApplication } from '../../test/fake-application.js';
import { FakeCall } from '../../test/fake-call.js';
import { listening } from '../../test/fake-listening.js';
import { listenHttp } from './listening.js';
import { Readiness } from './readiness.js';

/** Returns the status of GET /readyz, and the text. */
async function readyz(url: string): Promise<string> {
  const answer = await fetch(new URL('/readyz', url));
  return `${answer.status} ${await answer.text()}`.trim();
}

describe('GET /readyz', () => {
  it('answers 503 while shared state cannot be reached, and before the process has joined', async () => {
    const memory = new SharedMemory();
    const application = new FakeApplication();
    const state = memory.open();
    memory.interrupt();
    application.processes = state.join(application);
    const serving = await listenHttp(application, {});
    onTestFinished(async () => {
      await serving.close();
      await application.processes?.close();
    });
    expect(await readyz(serving.url)).toBe('503 state unavailable');
    memory.restore();
    expect(await readyz(serving.url)).toBe('503 state unavailable');
    await application.clock.advance(1_000);
    expect(await readyz(serving.url)).toBe('200 ready');
    memory.interrupt();
    expect(await readyz(serving.url)).toBe('503 state unavailable');
    expect((await fetch(new URL('/healthz', serving.url))).status).toBe(200);
    memory.restore();
    expect(await readyz(serving.url)).toBe('200 ready');
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    ['returns false', () => false],
    ['resolves with false', async () => false],
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['returns another value', (() => 'yes') as never],
  ])('answers 503 when the function of the user %s', async (_, ready) => {
    const { serving } = await listening({ ready });
    expect(await readyz(serving.url)).toBe('503 not ready');
  });

  it('answers 200 when the function of the user allows it, and 503 without a call of it while the server drains', async () => {
    let calls = 0;
    const ready = async () => ++calls > 0;
    const { serving } = await listening({ ready });
    expect(await readyz(serving.url)).toBe('200 ready');
    await serving.drain();
    expect(await readyz(serving.url)).toBe('503 closing');
    expect(calls).toBe(1);
  });

  it('calls the function once for requests at the same time, and answers 503 when it takes too long', async () => {
    const clock = new FakeClock();
    const errors: string[] = [];
    let calls = 0;
    const readiness = new Readiness({
      isServing: () => true,
      hasState: () => true,
      ready: () => {
        calls++;
        return new Promise(() => {});
      },
      clock,
      onError: (error, where) => void errors.push(`${where}: ${error}`),
    });
    const requests = [new FakeCall({}), new FakeCall({})];
    for (const call of requests) readiness.answer(call);
    await clock.advance(5_000);
    expect(requests.map(({ status }) => status)).toEqual([503, 503]);
    expect(calls).toBe(1);
    expect(errors).toEqual([expect.stringContaining('"ready" did not answer within 5000 ms')]);
  });
});
