import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { FakeClock, settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, result } from '../../../test/fake-application.js';
import type { FakeCall, Message } from '../../../test/fake-call.js';
import { FakeCluster, type FakeProcess } from '../../../test/fake-cluster.js';
import { request } from '../../../test/fake-service.js';
import { SteppedState } from '../../../test/stepped-state.js';

/** More calls than a process makes of the state for an answer or a resumption. */
const mostCalls = 60;

/**
 * A call that waits for input when its process dies. Its answer goes to the second process, and its stream is resumed at the third
 * one, at the same time.
 */
class Race {
  /** The clock of the state. */
  readonly time: FakeClock;
  readonly second: FakeProcess;
  readonly third: FakeProcess;
  readonly states: { readonly second: SteppedState; readonly third: SteppedState };
  /** The processes in which the handler ran. */
  readonly runs: string[] = [];
  #session: Readonly<Record<string, string>> = {};
  #first = '';

  private constructor(parts: Pick<Race, 'time' | 'second' | 'third' | 'states'>) {
    this.time = parts.time;
    this.second = parts.second;
    this.third = parts.third;
    this.states = parts.states;
  }

  static async start(isRepeatable: boolean): Promise<Race> {
    const time = new FakeClock();
    const cluster = new FakeCluster(time);
    const states = {
      second: new SteppedState(cluster.memory.open()),
      third: new SteppedState(cluster.memory.open()),
    };
    const first = await cluster.process();
    const second = await cluster.process({}, new FakeApplication(), states.second.state);
    const third = await cluster.process({}, new FakeApplication(), states.third.state);
    const race = new Race({ time, second, third, states });
    await race.#begin(first, isRepeatable);
    return race;
  }

  async #begin(first: FakeProcess, isRepeatable: boolean): Promise<void> {
    for (const host of [first, this.second, this.third]) host.application.isRepeatable = () => isRepeatable;
    this.#first = first.id;
    this.#session = await first.opened();
    for (const host of [this.second, this.third]) {
      await host.post(request(1, 'ping'), this.#session).done();
      host.application.play = (value) => {
        this.runs.push(host === this.second ? 'second' : 'third');
        return result(value);
      };
    }
    let exchange: Exchange | undefined;
    first.application.play = (_, given) => {
      exchange = given;
      return new Promise(() => {});
    };
    first.post(request(7, 'tools/call'), this.#session);
    await exchange?.suspend?.({ answers: {}, steps: {}, waiting: { [`${first.id}-1`]: 'key' } });
    await settled();
    await first.kill();
  }

  /** Sends the answer to the second process. */
  async answer(): Promise<FakeCall> {
    const call = this.second.post({ jsonrpc: '2.0', id: `${this.#first}-1`, result: {} }, this.#session);
    await this.pass(4_000, this.second);
    return call;
  }

  /** Resumes the stream at the third process. */
  async resume(): Promise<FakeCall> {
    const call = this.third.get({ ...this.#session, 'last-event-id': `${this.#first}.1.1` });
    await this.pass(4_000, this.third);
    return call;
  }

  /** Lets time pass for processes, and for the state. */
  async pass(ms: number, ...hosts: readonly FakeProcess[]): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      await this.time.advance(500);
      for (const { clock } of hosts) await clock.advance(500);
    }
  }
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
        race.states.second.stopBefore(step);
        const answered = await race.answer();
        const stream = await race.resume();
        const { stopped } = race.states.second;
        race.states.second.resume();
        await race.pass(4_000, race.second, race.third);
        const seen = [step, answered.status, race.runs.length, stream.messages];
        expect(seen).toMatchObject([step, 202, 1, [{ id: 7, result: {} }]]);
        if (!stopped) return;
      }
      throw new Error('The process never ran without a stop.');
    });

    it('leads to the result, once, when the process that resumes is slow at any of its steps', async () => {
      for (let step = 1; step < mostCalls; step++) {
        const race = await Race.start(isRepeatable);
        race.states.third.stopBefore(step);
        const stream = await race.resume();
        const answered = await race.answer();
        const { stopped } = race.states.third;
        race.states.third.resume();
        await race.pass(4_000, race.second, race.third);
        const seen = [step, answered.status, race.runs.length, stream.messages];
        expect(seen).toMatchObject([step, 202, 1, [{ id: 7, result: {} }]]);
        if (!stopped) return;
      }
      throw new Error('The process never ran without a stop.');
    });

    it('leads to the result when the process with the answer dies before the handler begins', async () => {
      const outcomes: string[] = [];
      for (let isStopped = true; isStopped && outcomes.length < mostCalls; ) {
        const race = await Race.start(isRepeatable);
        race.states.second.stopBefore(outcomes.length + 1);
        const answered = await race.answer();
        isStopped = race.states.second.stopped;
        await race.second.kill();
        const stream = await race.resume();
        await race.pass(20_000, race.third);
        const [message, ...more] = stream.messages;
        expect(more).toEqual([]);
        if (answered.status !== 202) expect(message).toBeUndefined();
        else if (message?.result === undefined) expect(race.runs).toEqual(['second']);
        outcomes.push(outcomeOf(message));
      }
      // A tool that may not run again is lost from the first moment at which its handler may run until its result is stored.
      const order = isRepeatable ? /^(waits )+(result ?)+$/ : /^(waits )+(result )+(lost )+(result ?)+$/;
      expect(outcomes.join(' ')).toMatch(order);
    });
  },
);
