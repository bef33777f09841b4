import { deepStrictEqual } from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Placeholders } from '../transcripts/placeholders.js';
import type { Story } from '../transcripts/transcript.js';
import type { ScriptedExchange } from './exchange.js';
import type { HttpFace } from './face.js';
import { type ExpectedPart, type HttpStep, readHttpStep } from './http-step.js';
import type { Part } from './part.js';

/** Events of a story besides requests: the words in brackets, and the action of each. */
export type NamedActions = ReadonlyMap<string, () => Promise<void>>;

/** Headers that do not belong to the protocol, or differ each time. */
const untold: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * Runs an HTTP story: sends its requests as written and compares each part of each response: status, relevant headers,
 * bodies, events. A response that is not an event stream is compared as one part. Fails if parts are left at the end.
 * @throws Error with the line and the difference
 */
export async function replayHttp(
  story: Story,
  face: HttpFace,
  namedActions: NamedActions = new Map(),
): Promise<void> {
  const player = new Player(face, namedActions);
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
  readonly #namedActions: NamedActions;
  readonly #placeholders = new Placeholders();
  readonly #exchanges = new Map<string, ScriptedExchange>();
  readonly #all: ScriptedExchange[] = [];

  constructor(face: HttpFace, namedActions: NamedActions) {
    this.#face = face;
    this.#namedActions = namedActions;
  }

  async play(step: HttpStep, line: number): Promise<void> {
    if (step.kind === 'event-outside') {
      const happening = this.#namedActions.get(step.what);
      if (happening === undefined) throw new Error(`line ${line}: unknown event "${step.what}"`);
      await happening();
    } else if (step.kind === 'request') this.#request(step);
    else if (step.kind === 'hang-up') this.#exchange(step.name, line).abort();
    else await this.#expect(this.#exchange(step.name, line), step.part, line);
  }

  /** @throws Error if a part arrived that the story does not contain */
  async finish(): Promise<void> {
    // Messages on their way in this process arrive first.
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

  /** Returns a body as one line; a body that is not JSON unchanged. */
  #sent(body: string): string {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return body;
    }
    return JSON.stringify(this.#placeholders.fill(value));
  }

  #exchange(name: string, line: number): ScriptedExchange {
    const exchange = this.#exchanges.get(name);
    if (exchange === undefined) throw new Error(`line ${line}: no request has the name ${name}`);
    return exchange;
  }

  async #expect(exchange: ScriptedExchange, given: ExpectedPart, line: number): Promise<void> {
    let actual = await partOf(exchange);
    // The number and time of comments does not matter.
    while (actual?.kind === 'comment' && given.kind !== 'comment') actual = await partOf(exchange);
    if (actual === undefined) throw new Error(`line ${line}: no part arrived`);
    const expected = this.#placeholders.expect(given, actual);
    try {
      deepStrictEqual(actual, expected);
    } catch (error) {
      throw new Error(`line ${line}: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Returns the next part in the form of a story. */
export async function partOf(exchange: ScriptedExchange): Promise<ExpectedPart | undefined> {
  const part = await exchange.next();
  if (part?.kind === 'head') return withBody(part, exchange);
  if (part?.kind !== 'event') return part as ExpectedPart | undefined;
  const { data, ...rest } = part;
  if (data === '') return rest;
  const value = parsedOrText(data);
  return typeof value === 'string' ? { ...rest, text: value } : { ...rest, data: value };
}

/** Joins the body of a response that is not an event stream to its head. */
async function withBody(
  head: Part & { readonly kind: 'head' },
  exchange: ScriptedExchange,
): Promise<ExpectedPart> {
  const headers = Object.fromEntries(Object.entries(head.headers).filter(([name]) => !untold.has(name)));
  const given = { kind: 'head' as const, status: head.status, headers };
  if (headers['content-type'] === 'text/event-stream') return given;
  const next = await exchange.next();
  return next?.kind === 'body' ? { ...given, body: parsedOrText(next.text) } : given;
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
