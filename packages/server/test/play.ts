import type { InputRequest, UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { defaultLimits, IncomingRequest } from '@tenon/mcp-session';
import { afterEach, beforeEach, expect } from 'vitest';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { roundsBounds } from '../src/core/limits.js';
import { runRounds } from '../src/run/rounds.js';
import type { Run } from '../src/run/run.js';
import { createSealer } from '../src/sealing/sealing.js';

/** The handler of a played tool. */
export type Handler = (inputRequester: Run, host: Run) => unknown;

/** Answers by key. */
export type Answers = { readonly [key: string]: unknown };

interface Outcome extends UnknownObject {
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  readonly requestState?: string;
}

/** The capabilities of a client that can answer everything. */
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

/** The answer of a user who typed a value in. */
export const accepted = (value: string) => ({ action: 'accept', content: { value } });

/** An elicitation for one value. */
export function form(message: string): InputRequest {
  const requestedSchema = { type: 'object', properties: { value: { type: 'string' } } } as const;
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

/** One tool of a server, and a client that calls it. */
export class Play {
  readonly clock = new FakeClock();
  readonly reported: unknown[] = [];
  readonly #handler: Handler;
  readonly #options = {
    sealer: createSealer(),
    limits: roundsBounds,
    onError: (error: unknown) => void this.reported.push(error),
  };

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  request(more: UnknownObject = {}): IncomingRequest {
    const params = { name: 'tool', arguments: { city: 'Oslo' }, ...more };
    const call = { id: 1, method: 'tools/call', params, revision: revision20260728 };
    const host = {
      side: 'server',
      clock: this.clock,
      limits: defaultLimits,
      conversation: undefined,
    } as const;
    const exchange = { facts: {}, send: () => undefined };
    return new IncomingRequest({ ...call, from: { clientCapabilities: everything } }, exchange, host);
  }

  start(request: IncomingRequest): unknown {
    return runRounds(this.#options, { request }, (host) => this.#handler(host, host));
  }

  async call(answers?: Answers, requestState?: string): Promise<Outcome> {
    const request = this.request({
      ...(answers && { inputResponses: answers }),
      ...(requestState !== undefined && { requestState }),
    });
    const outcome = (await this.start(request)) as Outcome;
    request.finish();
    return outcome;
  }

  /** Calls until the handler returns its own result; returns the keys of each round. */
  async through(answer: (key: string) => unknown): Promise<{ result: unknown; rounds: string[][] }> {
    const rounds: string[][] = [];
    for (let outcome = await this.call(); ; ) {
      if (outcome?.resultType !== 'input_required') return { result: outcome, rounds };
      const keys = Object.keys(outcome.inputRequests ?? {});
      rounds.push(keys);
      const answers = Object.fromEntries(keys.map((key) => [key, answer(key)]));
      outcome = await this.call(answers, outcome.requestState);
    }
  }
}

/** Resolves after the current turn of the event loop. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The value the user typed in. */
export const value = async (answer: Promise<unknown>) =>
  ((await answer) as { content: { value: string } }).content.value;

/** Fails every test of a file that leaves an unhandled rejection. */
export function handlesEveryRejection(): void {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', listen);
  });
  afterEach(async () => {
    await turn();
    await turn();
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });
}
