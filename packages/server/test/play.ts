import type { InputRequest, UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { type Clock, defaultLimits, IncomingRequest } from '@tenon/mcp-session';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Asker, AskingHost } from '../src/asking/asker.js';
import { runRounds } from '../src/asking/rounds.js';
import { defaultRoundsLimits } from '../src/asking/rounds-limits.js';
import { createSealer } from '../src/asking/sealing.js';

/** What a played tool does. */
export type Handler = (asker: Asker, host: AskingHost) => unknown;

/** Answers by key. */
export type Answers = { readonly [key: string]: unknown };

interface Outcome extends UnknownObject {
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  readonly requestState?: string;
}

/** What a client that can answer everything declares. */
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

/** The answer of a user who typed a value in. */
export const accepted = (value: string) => ({ action: 'accept', content: { value } });

/** A question for one value. */
export function form(message: string): InputRequest {
  const requestedSchema = { type: 'object', properties: { value: { type: 'string' } } } as const;
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

/** Time that moves when told. */
export class HandClock implements Clock {
  readonly #tasks = new Set<{ readonly at: number; readonly task: () => void }>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  schedule(task: () => void, ms: number): () => void {
    const entry = { at: this.#now + ms, task };
    this.#tasks.add(entry);
    return () => this.#tasks.delete(entry);
  }

  get waiting(): number {
    return this.#tasks.size;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const entry of [...this.#tasks])
      if (entry.at <= this.#now && this.#tasks.delete(entry)) entry.task();
  }
}

/** One tool of a server, and a client that calls it. */
export class Play {
  readonly clock = new HandClock();
  readonly reported: unknown[] = [];
  readonly #handler: Handler;
  readonly #options = {
    sealer: createSealer(),
    limits: defaultRoundsLimits,
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
    return runRounds(this.#options, request, (host) => this.#handler(host.asker(), host));
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

  /** Calls until the handler gives its own result; tells which questions each round had. */
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

/** Lets everything happen that is due. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The value the user typed in. */
export const value = async (answer: Promise<unknown>) =>
  ((await answer) as { content: { value: string } }).content.value;

/** Fails every test of a file that leaves a rejection nobody handled. */
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
