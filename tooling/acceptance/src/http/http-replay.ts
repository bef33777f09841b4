import { deepStrictEqual } from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Placeholders } from '../transcripts/placeholders.js';
import type { Story } from '../transcripts/transcript.js';
import type { HttpExchange } from './exchange.js';
import type { HttpFace } from './face.js';
import { type HttpStep, readHttpStep, type ToldPart } from './http-step.js';
import type { Part } from './part.js';

/** What a story may do besides sending requests: the words in brackets, and what follows from them. */
export type Happenings = ReadonlyMap<string, () => Promise<void>>;

/** Headers that say nothing of the protocol, or are different each time. */
const untold: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * Plays an HTTP story: sends its requests as they stand and compares each part of each answer: status, every header
 * that matters, bodies, events. An answer that is no event stream is compared as one part. In the end nothing may have
 * come that the story does not tell.
 * @throws Error that names the line and the difference.
 */
export async function replayHttp(
  story: Story,
  face: HttpFace,
  happenings: Happenings = new Map(),
): Promise<void> {
  const player = new Player(face, happenings);
  try {
    for (const step of story.steps) await player.play(readHttpStep(step), step.line);
    await player.finish();
  } finally {
    player.hangUp();
    await face.close();
  }
}

class Player {
  readonly #face: HttpFace;
  readonly #happenings: Happenings;
  readonly #placeholders = new Placeholders();
  readonly #exchanges = new Map<string, HttpExchange>();
  readonly #all: HttpExchange[] = [];

  constructor(face: HttpFace, happenings: Happenings) {
    this.#face = face;
    this.#happenings = happenings;
  }

  async play(step: HttpStep, line: number): Promise<void> {
    if (step.kind === 'event-outside') {
      const happening = this.#happenings.get(step.what);
      if (happening === undefined) throw new Error(`line ${line}: nothing is known of "${step.what}"`);
      await happening();
    } else if (step.kind === 'request') this.#request(step);
    else if (step.kind === 'hang-up') this.#exchange(step.name, line).abort();
    else await this.#expect(this.#exchange(step.name, line), step.part, line);
  }

  /** @throws Error when something has come that the story does not tell. */
  async finish(): Promise<void> {
    // What is on its way in this process arrives.
    for (let turns = 0; turns < 5; turns++) await turn();
    for (const [name, exchange] of this.#exchanges) {
      const unread = exchange.rest().filter(({ kind }) => kind !== 'end' && kind !== 'comment');
      deepStrictEqual(unread, [], `after the last line came to ${name}: ${JSON.stringify(unread)}`);
    }
  }

  hangUp(): void {
    for (const exchange of this.#all) exchange.abort();
  }

  #request({ name, method, path, headers, body }: HttpStep & { readonly kind: 'request' }): void {
    const exchange = this.#face.request({
      method,
      path: this.#placeholders.fill(path) as string,
      headers: this.#placeholders.fill(headers) as Record<string, string>,
      body: body === undefined ? undefined : this.#sent(body),
    });
    this.#exchanges.set(name, exchange);
    this.#all.push(exchange);
  }

  /** A body on one line; what is no JSON goes out as it is. */
  #sent(body: string): string {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return body;
    }
    return JSON.stringify(this.#placeholders.fill(value));
  }

  #exchange(name: string, line: number): HttpExchange {
    const exchange = this.#exchanges.get(name);
    if (exchange === undefined) throw new Error(`line ${line}: nothing was sent as ${name}`);
    return exchange;
  }

  async #expect(exchange: HttpExchange, told: ToldPart, line: number): Promise<void> {
    let actual = await toldOf(exchange);
    // How many comments come, and when, is of no meaning.
    while (actual?.kind === 'comment' && told.kind !== 'comment') actual = await toldOf(exchange);
    if (actual === undefined) throw new Error(`line ${line}: nothing came`);
    const expected = this.#placeholders.expect(told, actual);
    try {
      deepStrictEqual(actual, expected);
    } catch (error) {
      throw new Error(`line ${line}: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** The next part as a story tells it. */
export async function toldOf(exchange: HttpExchange): Promise<ToldPart | undefined> {
  const part = await exchange.next();
  if (part?.kind === 'head') return withBody(part, exchange);
  if (part?.kind !== 'event') return part as ToldPart | undefined;
  const { data, ...rest } = part;
  if (data === '') return rest;
  const value = parsedOrText(data);
  return typeof value === 'string' ? { ...rest, text: value } : { ...rest, data: value };
}

/** The body of what is no event stream belongs to its head. */
async function withBody(head: Part & { readonly kind: 'head' }, exchange: HttpExchange): Promise<ToldPart> {
  const headers = Object.fromEntries(Object.entries(head.headers).filter(([name]) => !untold.has(name)));
  const told = { kind: 'head' as const, status: head.status, headers };
  if (headers['content-type'] === 'text/event-stream') return told;
  const next = await exchange.next();
  return next?.kind === 'body' ? { ...told, body: parsedOrText(next.text) } : told;
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
