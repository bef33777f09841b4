import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { RoundRobinProxy } from '../proxy/round-robin-proxy.js';
import { judged } from '../run/once-verdicts.js';
import { errorText } from '../storm/findings/known-errors.js';
import { FollowedCall, problemOfResult } from '../wire/followed-call.js';
import { RawSession } from '../wire/raw-session.js';

/** @typedef {import('../nodes/stage.js').Stage} Stage */

/** Sessions of each kind, and clients of ours. */
const [sessions, clients] = [12, 4];
const processes = 3;
/** Milliseconds until a call must have ended. */
const bound = 30_000;
/** Milliseconds of a call that is cancelled. */
const long = 8_000;
/** The proxy never looks at `/readyz`: a draining process receives requests until it closes its port. */
const never = 3_600_000;
const patient = { serverLimits: { requestTotal: 60_000, handlerTime: 60_000 } };

/** @type {import('./index.js').Incident} */
export const drainWithAnswers = {
  name: 'drain-with-answers',
  about:
    'processes drain in turn while answers, cancellations and resumptions reach the draining one through the proxy',
  run: async (stage) => {
    const proxy = new RoundRobinProxy(never);
    const url = `http://127.0.0.1:${await proxy.listen()}/mcp`;
    stage.later(() => proxy.close());
    const running = await stage.nodes(processes, patient);
    for (const { port } of running) proxy.add(port);
    const run = new DrainRun(stage, url);
    const calling = run.call();
    /** @type {string[]} */
    const stuck = [];
    for (const leaving of running) {
      proxy.add((await stage.node(patient)).port);
      const problem = await leaving.drain();
      if (problem !== undefined) stuck.push(problem);
      proxy.remove(leaving.port);
    }
    run.isOver = true;
    await calling;
    return [...run.verdicts(), judged('drained processes end by themselves', stuck)];
  },
};

/** The calls during the drains. */
class DrainRun {
  isOver = false;
  #stage;
  #url;
  #calls = 0;
  #sent = 0;
  /** @type {string[]} */
  #failed = [];
  /** @type {string[]} */
  #refused = [];
  /** @type {number[]} */
  #cancelled = [];
  /** @type {string[]} */
  #ofClients = [];

  /**
   * @param {Stage} stage
   * @param {string} url of the proxy
   */
  constructor(stage, url) {
    this.#stage = stage;
    this.#url = url;
  }

  /** Calls in all sessions until the drains are over. */
  async call() {
    const kinds = [() => this.#ask, () => this.#cancel, () => this.#resume];
    await Promise.all([
      ...Array.from({ length: kinds.length * sessions }, async (_, index) => {
        const session = await RawSession.open(this.#url);
        const run = kinds[index % kinds.length]?.() ?? this.#ask;
        while (!this.isOver) await run.call(this, session);
      }),
      ...Array.from({ length: clients }, (_, index) => this.#client(index)),
    ]);
  }

  verdicts() {
    const { calls } = this.#stage;
    const reached = this.#cancelled.filter((number) => (calls.get(number)?.done.length ?? 0) > 0);
    return [
      judged(`each call ends with its result (${this.#calls})`, this.#failed),
      judged(`no answer, cancellation or resumption is refused (${this.#sent})`, this.#refused),
      judged(
        `each cancellation reaches its call (${this.#cancelled.length})`,
        reached.map((number) => `number ${number} was done`),
      ),
      judged('no call of our client fails', this.#ofClients),
    ];
  }

  /** @param {RawSession} session */
  async #ask(session) {
    const call = new FollowedCall(session, { number: this.#stage.number(), tool: 'ask' }, () => this.#url);
    const ended = call.run(bound);
    const id = await Promise.race([call.requested, ended.then(() => undefined)]);
    if (id !== undefined) {
      await pause(this.#stage.random.between(0, 1_500));
      await this.#accepted('answer', call.number, () => session.answer(this.#url, id, call.number));
    }
    this.#judge(call.number, await ended);
  }

  /** @param {RawSession} session */
  async #resume(session) {
    const given = { steps: this.#stage.random.whole(8, 16), ms: 100 };
    const call = new FollowedCall(
      session,
      { number: this.#stage.number(), tool: 'steps', given },
      () => this.#url,
    );
    call.onProgress = (progress) => {
      if (progress === 3) call.cut();
    };
    this.#judge(call.number, await call.run(bound));
  }

  /** @param {RawSession} session */
  async #cancel(session) {
    const given = { ms: long };
    const call = new FollowedCall(
      session,
      { number: this.#stage.number(), tool: 'wait', given },
      () => this.#url,
    );
    const ended = call.run(bound);
    if ((await Promise.race([call.began, ended])) !== true) return;
    await pause(this.#stage.random.between(0, 500));
    await this.#accepted('cancellation', call.number, () => session.cancel(this.#url, call.number));
    this.#cancelled.push(call.number);
    // A cancelled call has no answer: its client reads no further.
    call.stop();
    await ended;
  }

  /** @param {number} index */
  async #client(index) {
    const revision = index % 2 === 0 ? '2025-11-25' : '2026-07-28';
    const client = await connect(httpTarget(this.#url), {
      info: { name: `client-${index}`, version: '1.0.0' },
      revision,
      rates: false,
    });
    while (!this.isOver) {
      try {
        await client.callTool('quick', { number: this.#stage.number() });
      } catch (error) {
        this.#ofClients.push(`${revision}: ${errorText(error)}`);
      }
      await pause(20);
    }
    await client.close();
  }

  /**
   * @param {string} what
   * @param {number} number
   * @param {() => Promise<number>} send
   */
  async #accepted(what, number, send) {
    this.#sent++;
    const status = await send().catch(errorText);
    if (status !== 202) this.#refused.push(`${what} of number ${number}: ${status}`);
  }

  /**
   * @param {number} number
   * @param {import('../wire/followed-call.js').CallEnd} end
   */
  #judge(number, end) {
    this.#calls++;
    this.#sent += end.resumptions;
    const problem = problemOfResult(end, number);
    if (problem !== undefined) this.#failed.push(`number ${number}: ${problem}`);
    for (const status of end.refusals) this.#refused.push(`resumption of number ${number}: ${status}`);
  }
}
