import { getEventListeners } from 'node:events';
import {
  type Client,
  connect,
  RemoteError,
  SessionError,
  type ToolResult,
  TransportError,
  type Watch,
} from '@tenon/mcp-client';
import { serverPort } from '@tenon/mcp-protocol';
import type { Endpoint } from '@tenon/mcp-server';
import { memoryPair } from '@tenon/mcp-session/memory';
import { FakeClock, settled } from '@tenon/mcp-testing';
import { toolNames, Workshop } from './workshop.js';

/** One action of a sequence. */
export type Deed =
  | { readonly does: 'call'; readonly tool: (typeof toolNames)[number] }
  | { readonly does: 'cancel'; readonly which: number }
  | { readonly does: 'advance'; readonly ms: number }
  | { readonly does: 'release' | 'break' | 'change' | 'watch' | 'unwatch' | 'turn' | 'list' };

interface CallUnderWay {
  readonly number: number;
  readonly abort: AbortController;
  readonly outcome: Promise<string>;
  isSettled: boolean;
}

/** A client and a server in this process, controlled by actions, with checks for leaks. */
export class Interleaving {
  readonly clock = new FakeClock();
  /** Problems found. */
  readonly faults: string[] = [];
  readonly #workshop = new Workshop(this.clock);
  readonly #endpoints: Endpoint[] = [];
  readonly #calls: CallUnderWay[] = [];
  readonly #lists: Promise<unknown>[] = [];
  readonly #watches: Promise<Watch | undefined>[] = [];
  #client: Client | undefined;

  async open(revision: string): Promise<void> {
    this.#client = await connect(
      {
        restartable: true,
        open: () => {
          const [near, far] = memoryPair();
          this.#endpoints.push(this.#workshop.server[serverPort].accept(far));
          return near;
        },
      },
      {
        info: { name: 'client', version: '1.0.0' },
        revision,
        clock: this.clock,
        random: () => 0.5,
        onElicit: async () => {
          await this.#workshop.held();
          return { action: 'accept', content: { name: 'Ada' } };
        },
      },
    );
  }

  async do(deed: Deed): Promise<void> {
    switch (deed.does) {
      case 'call':
        return this.#call(deed.tool);
      case 'cancel':
        return this.#calls[deed.which % Math.max(1, this.#calls.length)]?.abort.abort();
      case 'advance':
        return this.clock.advance(deed.ms);
      case 'release':
        return this.#workshop.release();
      case 'break':
        return this.#endpoints.at(-1)?.connection.close();
      case 'change':
        return this.#workshop.server.resourceUpdated('note://one');
      case 'watch':
        this.#watches.push(this.#opened.watch({ uris: ['note://one'] }, () => {}).catch(() => undefined));
        return;
      case 'unwatch':
        void this.#watches.pop()?.then((watch) => watch?.close());
        return;
      case 'list':
        this.#lists.push(
          this.#opened
            .tools()
            .all()
            .catch((error: unknown) => this.#check(error, 'tools')),
        );
        return;
      default:
        return settled();
    }
  }

  /** Makes each call once, so that all code is loaded: loading takes time that the clock does not know. */
  async rehearse(): Promise<void> {
    for (const tool of toolNames) this.#call(tool);
    while (this.#calls.some(({ isSettled }) => !isSettled)) {
      this.#workshop.release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.close();
  }

  /** Closes everything; reports what is left. */
  async close(): Promise<void> {
    const closing = Promise.all([this.#opened.close(), this.#workshop.server.close()]);
    this.#workshop.release();
    await this.clock.advance(10_000);
    await closing;
    await Promise.all([...this.#calls.map(({ outcome }) => outcome), ...this.#lists, ...this.#watches]);
    this.#workshop.release();
    await settled();
    // One sweep shared by all calls of a server may run once more.
    if (this.clock.waiting.length > 1)
      this.faults.push(`timers are left: ${this.clock.waiting.join(', ')} ms`);
    await this.clock.advance(60_000);
    this.#noteLeft();
  }

  get #opened(): Client {
    if (this.#client === undefined) throw new TypeError('The client is not connected.');
    return this.#client;
  }

  #call(tool: string): void {
    const number = this.#calls.length;
    const abort = new AbortController();
    const call: CallUnderWay = {
      number,
      abort,
      isSettled: false,
      outcome: this.#opened
        .callTool(
          tool,
          { number },
          {
            signal: abort.signal,
            onProgress: () => call.isSettled && this.faults.push(`progress after the end of ${tool}`),
          },
        )
        .then(
          (result) => this.#checkAnswer(number, result),
          (error: unknown) => this.#check(error, tool),
        )
        .finally(() => {
          if (call.isSettled) this.faults.push(`${tool} ended twice`);
          call.isSettled = true;
        }),
    };
    this.#calls.push(call);
  }

  #checkAnswer(number: number, { content, isError }: ToolResult): string {
    const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join();
    if (!isError && !text.startsWith(`${number} `)) this.faults.push(`call ${number} was answered "${text}"`);
    return text;
  }

  #check(error: unknown, what: string): string {
    const isTyped =
      error instanceof RemoteError || error instanceof SessionError || error instanceof TransportError;
    if (!isTyped) this.faults.push(`${what} rejected with ${String(error)}`);
    return String(error);
  }

  #noteLeft(): void {
    const { waiting } = this.clock;
    if (waiting.length > 0) this.faults.push(`timers are left for good: ${waiting.join(', ')} ms`);
    if (this.#workshop.running > 0) this.faults.push(`${this.#workshop.running} handlers still run`);
    for (const { state, inFlight, pending } of this.#endpoints) {
      if (state === 'closed' && inFlight === 0 && pending === 0) continue;
      this.faults.push(`an endpoint is ${state}, with ${inFlight} calls in flight and ${pending} pending`);
    }
    for (const { abort, number } of this.#calls) {
      const left = getEventListeners(abort.signal, 'abort').length;
      if (left > 0) this.faults.push(`${left} listeners are left on the signal of call ${number}`);
    }
  }
}
