import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { FakeClock, settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, result } from '../../../test/fake-application.js';
import type { FakeCall, Message } from '../../../test/fake-call.js';
import { type FakeProcess, FakeProcesses } from '../../../test/fake-processes.js';
import { request } from '../../../test/fake-service.js';
import { SteppedState } from '../../../test/stepped-state.js';

/** More calls than a process makes of the state for an answer or a resumption. */
const mostCalls = 60;

type Name = 'first' | 'second' | 'third';

/** A process, and its state that stops it. */
interface Host {
  readonly process: FakeProcess;
  readonly state: SteppedState;
}

/**
 * A call of the first process that waits for input. Its answer goes to the first or the second process, and its stream is resumed at
 * the third one, at the same time.
 */
class Race {
  /** The processes in which the handler ran. */
  readonly runs: Name[] = [];
  /** The clock of the state. */
  readonly #time = new FakeClock();
  readonly #processes = new FakeProcesses(this.#time);
  readonly #hosts = new Map<Name, Host>();
  #session: Readonly<Record<string, string>> = {};

  static async start(isRepeatable: boolean): Promise<Race> {
    const race = new Race();
    for (const name of ['first', 'second', 'third'] as const) {
      const state = new SteppedState(race.#processes.memory.open());
      const process = await race.#processes.process({}, new FakeApplication(), state.state);
      process.application.isRepeatable = () => isRepeatable;
      race.#hosts.set(name, { process, state });
    }
    await race.#begin();
    return race;
  }

  async #begin(): Promise<void> {
    const { process: first } = this.host('first');
    this.#session = await first.opened();
    for (const name of ['second', 'third'] as const) {
      const { process } = this.host(name);
      await process.post(request(1, 'ping'), this.#session).done();
      process.application.play = (value) => {
        this.runs.push(name);
        return result(value);
      };
    }
    let waiting: Exchange | undefined;
    let finish = (_: string) => {};
    first.application.play = (value, exchange) => {
      if ('method' in value) {
        waiting = exchange;
        return new Promise((resolve) => (finish = resolve));
      }
      const answers = { key: { result: value.result } };
      void waiting?.suspend?.({ answers, steps: {}, waiting: {} }).then(() => {
        this.runs.push('first');
        finish(result({ id: 7 }));
      });
      return undefined;
    };
    first.post(request(7, 'tools/call'), this.#session);
    await waiting?.suspend?.({ answers: {}, steps: {}, waiting: { [`${first.id}-1`]: 'key' } });
    await settled();
  }

  host(name: Name): Host {
    return this.#hosts.get(name) as Host;
  }

  async kill(name: Name): Promise<void> {
    await this.host(name).process.kill();
  }

  /** Sends the answer to a process. */
  async answer(name: Name): Promise<FakeCall> {
    const answer = { jsonrpc: '2.0', id: `${this.host('first').process.id}-1`, result: {} };
    const call = this.host(name).process.post(answer, this.#session);
    await this.pass(4_000, name);
    return call;
  }

  /** Resumes the stream at the third process. */
  async resume(): Promise<FakeCall> {
    const { process } = this.host('third');
    const call = process.get({
      ...this.#session,
      'last-event-id': `${this.host('first').process.id}.1.1`,
    });
    await this.pass(4_000, 'third');
    return call;
  }

  /** Advances the clocks of processes, and that of the state. */
  async pass(ms: number, ...names: readonly Name[]): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      await this.#time.advance(500);
      for (const name of names) await this.host(name).process.clock.advance(500);
    }
  }
}

/**
 * Has a process die before each of its calls of the state, and the third one resume the stream. Returns what the client received in
 * each case.
 */
async function outcomesOfDeath(name: 'first' | 'second', isRepeatable: boolean): Promise<string> {
  const outcomes: string[] = [];
  for (let isStopped = true; isStopped && outcomes.length < mostCalls; ) {
    const race = await Race.start(isRepeatable);
    if (name === 'second') await race.kill('first');
    const { state } = race.host(name);
    state.stopBefore(outcomes.length + 1);
    const answered = await race.answer(name);
    isStopped = state.stopped;
    await race.kill(name);
    const stream = await race.resume();
    await race.pass(20_000, 'third');
    const [message, ...more] = stream.messages;
    expect(more).toEqual([]);
    if (message !== undefined && message.result === undefined) expect(race.runs).toEqual([name]);
    if (answered.status === 202) expect(message).toBeDefined();
    outcomes.push(outcomeOf(message));
  }
  return outcomes.join(' ');
}

function outcomeOf(message: Message | undefined): 'waits' | 'result' | 'lost' {
  if (message === undefined) return 'waits';
  return message.result === undefined ? 'lost' : 'result';
}

describe.each([false, true])(
  'an answer while another process resumes the stream (repeatable: %s)',
  (isRepeatable) => {
    it('leads to the result, once, when the process with the answer is slow at any of its steps', async () => {
      for (let step = 1; step < mostCalls; step++) {
        const race = await Race.start(isRepeatable);
        await race.kill('first');
        const { state } = race.host('second');
        state.stopBefore(step);
        const answered = await race.answer('second');
        const stream = await race.resume();
        const { stopped } = state;
        state.resume();
        await race.pass(4_000, 'second', 'third');
        const seen = [step, answered.status, race.runs.length, stream.messages];
        expect(seen).toMatchObject([step, 202, 1, [{ id: 7, result: {} }]]);
        if (!stopped) return;
      }
      throw new Error('The process never ran without a stop.');
    });

    it('leads to the result, once, when the process that resumes is slow at any of its steps', async () => {
      for (let step = 1; step < mostCalls; step++) {
        const race = await Race.start(isRepeatable);
        await race.kill('first');
        const { state } = race.host('third');
        state.stopBefore(step);
        const stream = await race.resume();
        const answered = await race.answer('second');
        const { stopped } = state;
        state.resume();
        await race.pass(4_000, 'second', 'third');
        const seen = [step, answered.status, race.runs.length, stream.messages];
        expect(seen).toMatchObject([step, 202, 1, [{ id: 7, result: {} }]]);
        if (!stopped) return;
      }
      throw new Error('The process never ran without a stop.');
    });

    it('leads to the result when the process with the answer dies before the handler begins', async () => {
      // A tool that may not run again is lost from the first moment at which its handler may run until its result is stored.
      const order = isRepeatable ? /^(waits )+(result ?)+$/ : /^(waits )+(result )+(lost )+(result ?)+$/;
      expect(await outcomesOfDeath('second', isRepeatable)).toMatch(order);
    });
  },
);

describe.each([false, true])('an answer at the process of its call (repeatable: %s)', (isRepeatable) => {
  it('is accepted when the process cannot forget it any more', async () => {
    const order = isRepeatable ? /^(waits )*(result ?)+$/ : /^(waits )*(lost )+(result ?)+$/;
    expect(await outcomesOfDeath('first', isRepeatable)).toMatch(order);
  });
});
