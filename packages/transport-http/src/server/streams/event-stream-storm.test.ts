import { expect, it } from 'vitest';
import { FakeCall } from '../../../test/fake-call.js';
import { SlowEventStore } from '../../../test/fake-stores.js';
import { EventStream } from './event-stream.js';
import { MemoryEventStore } from './memory-event-store.js';

/** Pseudo-random numbers, the same in every run. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % bound;
  };
}

/** A client that resumes from its last id, and records what it receives. */
class Returning {
  readonly got: number[] = [];
  readonly #stream: EventStream;
  #call: FakeCall | undefined;
  #read = 0;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  connect(slow: boolean): void {
    this.take();
    const call = new FakeCall();
    if (slow) call.patience = new Promise((resolve) => setImmediate(resolve));
    this.#call = call;
    this.#read = 0;
    this.#stream.attach(call, this.got.length);
  }

  take(): void {
    const messages = (this.#call?.messages ?? []) as { n?: number }[];
    for (const { n } of messages.slice(this.#read)) this.got.push(n as number);
    this.#read = messages.length;
  }

  leave(): void {
    this.take();
    this.#call?.leave();
  }

  get done(): boolean {
    return this.#call?.closed === true;
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'a client that disconnects and resumes receives every message once, in order (storm %i)',
  async (seed) => {
    const next = numbers(seed + 1);
    const slow = seed % 2 === 0 ? new SlowEventStore() : undefined;
    const errors: unknown[] = [];
    let ended = 0;
    const settings = {
      store: slow ?? new MemoryEventStore(),
      resumable: true,
      primed: seed % 3 === 0,
      retry: 1,
      onError: (error: unknown) => void errors.push(error),
      onEnded: () => void ended++,
    };
    const stream = new EventStream({ session: 's', stream: 1 }, settings);
    const client = new Returning(stream);
    client.connect(false);
    let sent = 0;
    for (let step = 0; step < 80; step++) {
      const what = next(8);
      if (what < 3) for (let count = next(4); count >= 0; count--) void stream.send(`{"n":${++sent}}`);
      else if (what === 3) client.connect(next(2) === 0);
      else if (what === 4) client.leave();
      else if (what === 5) stream.release(1);
      else if (what === 6) await slow?.step();
      else for (let turns = next(5); turns > 0; turns--) await Promise.resolve();
    }
    for (let round = 0; round < 100; round++) {
      await slow?.run();
      await turn();
    }
    client.take();
    if (!client.done) expect(client.got).toHaveLength(sent);
    stream.finish(`{"n":${++sent}}`);
    for (let round = 0; round < 100 && client.got.length < sent; round++) {
      await slow?.run();
      await turn();
      client.take();
      if (client.got.length < sent && client.done) client.connect(false);
    }
    expect(client.got).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
    expect({ errors, ended: ended > 0 }).toEqual({ errors: [], ended: true });
  },
);
