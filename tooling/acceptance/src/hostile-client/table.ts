import type { ClientOptions } from '@tenon/mcp-client';
import type { HttpClientLimits } from '@tenon/mcp-client/http';
import type { SpawnOptions } from '@tenon/mcp-client/stdio';
import { afterAll, describe, expect, it } from 'vitest';
import type { Carrier, Lies } from './liar.js';
import type { Raw } from './posted-liar.js';
import { Stage } from './stage.js';

/** What a caller sees of a lie. */
export type Seen =
  /** Its call rejects: with an error of this class, for this reason or with this code, in words such as these. */
  | { readonly error: string; readonly why?: string | number; readonly text: RegExp }
  /** It is answered all the same, with a result that has this in it. */
  | { readonly result: unknown };

/** One lie, and what becomes of it. */
export interface Row {
  readonly name: string;
  readonly lies?: Lies;
  /** What carries it; both by default. */
  readonly over?: readonly Carrier[];
  /** By default one revision of each kind over HTTP, and one over stdio, where each case costs a process. */
  readonly revisions?: readonly string[];
  /** The client is free to choose the revision. */
  readonly chooses?: boolean;
  readonly options?: Partial<ClientOptions>;
  readonly http?: Partial<HttpClientLimits>;
  /** What is done over HTTP in place of what a liar says. */
  readonly raw?: Raw;
  readonly stdio?: Partial<SpawnOptions>;
  /** Connecting is what fails. */
  readonly connecting?: boolean;
  /** What the application does: it calls the tool `bad` by default. */
  readonly act?: (stage: Stage) => Promise<unknown>;
  /** Milliseconds that pass once the lie was told and another call was answered. */
  readonly waits?: number;
  /** What the liar has heard by then: the call of `bad`, or the opening, by default. */
  readonly awaits?: string;
  readonly sees: Seen;
  /** What `onError` hears, as `where: message`. */
  readonly told?: RegExp;
  /** What else must be true afterwards. */
  readonly afterwards?: (stage: Stage) => unknown;
  /** Whether another call is answered afterwards; true by default. */
  readonly serves?: boolean;
}

export const handshake = '2025-11-25';
export const stateless = '2026-07-28';

const usual: Readonly<Record<Carrier, readonly string[]>> = {
  stdio: [handshake],
  http: [handshake, stateless],
};

/** Runs each row over its carriers and revisions, and prints how many that were. */
export function table(title: string, rows: readonly Row[]): void {
  let cases = 0;
  describe(title, () => {
    for (const row of rows) {
      for (const carrier of row.over ?? (['stdio', 'http'] as const)) {
        for (const revision of row.revisions ?? usual[carrier]) {
          cases++;
          it(`${row.name} (${carrier}, ${revision})`, () => hold(row, carrier, revision));
        }
      }
    }
    counted(title, () => cases);
  });
}

/** Prints how many cases a table holds. */
export function counted(title: string, cases: () => number): void {
  afterAll(() => console.log(`${cases()} cases: ${title}`));
}

async function hold(row: Row, carrier: Carrier, revision: string): Promise<void> {
  const { lies = {}, chooses, options, http, raw, stdio } = row;
  const stage = new Stage({ carrier, revision, chooses, lies, options, http, raw, stdio });
  try {
    const opening = stage.open();
    if (row.connecting !== true) await opening;
    const outcome = outcomeOf(row.connecting === true ? opening : act(row, stage));
    if (row.waits !== undefined) await pass(row, stage, row.waits);
    expectSeen(await outcome, row.sees);
    if (row.told !== undefined) await stage.hears(row.told);
    await row.afterwards?.(stage);
    if (row.connecting !== true && row.serves !== false) {
      await stage.serves();
      expect(stage.client.state).toBe('open');
    }
  } finally {
    await stage.close();
  }
}

function act(row: Row, stage: Stage): Promise<unknown> {
  return row.act === undefined ? stage.client.callTool('bad') : row.act(stage);
}

async function pass(row: Row, stage: Stage, ms: number): Promise<void> {
  const opening = stage.revision === stateless ? 'server/discover' : 'initialize';
  await stage.liar.hears(row.awaits ?? (row.connecting === true ? opening : 'tools/call bad'));
  if (row.connecting !== true) await stage.serves();
  await stage.clock.advance(ms);
}

/** What a promise came to. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown };

export function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
  return promise.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}

/** Holds an outcome to what should be seen. */
export function expectSeen(outcome: Outcome, seen: Seen): void {
  if ('result' in seen) {
    expect(outcome).toEqual({ result: seen.result });
    return;
  }
  if (!('error' in outcome))
    expect.fail(`expected ${seen.error}, got ${JSON.stringify(outcome.result)?.slice(0, 500)}`);
  const { name, message, reason, code, status } = outcome.error as Error & Record<string, unknown>;
  // Errors of calls begin with the call, which the table does not repeat.
  const text = message.replace(/^(?:[a-z]+\/)?[a-z]+(?: bad)?: /, '');
  expect({ error: name, text }).toEqual({
    error: seen.error,
    text: expect.stringMatching(seen.text),
  });
  if (seen.why !== undefined) expect(reason ?? code ?? status).toBe(seen.why);
}
