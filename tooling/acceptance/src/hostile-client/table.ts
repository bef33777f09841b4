import type { ClientOptions } from '@tenon/mcp-client';
import type { HttpClientLimits } from '@tenon/mcp-client/http';
import type { SpawnOptions } from '@tenon/mcp-client/stdio';
import { afterAll, describe, expect, it } from 'vitest';
import type { Lies, TransportName } from './liar.js';
import type { Raw } from './posted-liar.js';
import { Stage } from './stage.js';

/** The outcome a caller sees. */
export type Seen =
  /** The call rejects with an error of this class, with this reason or code, and a matching text. */
  | { readonly error: string; readonly why?: string | number; readonly text: RegExp }
  /** The call succeeds with a result that contains this. */
  | { readonly result: unknown };

/** One misbehaviour, and its expected outcome. */
export interface Row {
  readonly name: string;
  readonly lies?: Lies;
  /** Transports. Default: both. */
  readonly over?: readonly TransportName[];
  /** Default: one revision of each kind over HTTP, and one over stdio, since each case there costs a process. */
  readonly revisions?: readonly string[];
  /** True if the client may choose the revision. */
  readonly chooses?: boolean;
  readonly options?: Partial<ClientOptions>;
  readonly http?: Partial<HttpClientLimits>;
  /** Responses over HTTP in place of the liar's. */
  readonly raw?: Raw;
  readonly stdio?: Partial<SpawnOptions>;
  /** True if connecting fails. */
  readonly connecting?: boolean;
  /** The application's actions. Default: calls the tool `bad`. */
  readonly act?: (stage: Stage) => Promise<unknown>;
  /** Milliseconds to pass after the misbehaviour and another call. */
  readonly waits?: number;
  /** The message the liar must have received. Default: the call of `bad`, or the first message. */
  readonly awaits?: string;
  readonly sees: Seen;
  /** The error reported to `onError`, as `where: message`. */
  readonly reported?: RegExp;
  /** Further checks. */
  readonly afterwards?: (stage: Stage) => unknown;
  /** True if another call succeeds afterwards. Default true. */
  readonly serves?: boolean;
}

export const handshake = '2025-11-25';
export const stateless = '2026-07-28';

const usual: Readonly<Record<TransportName, readonly string[]>> = {
  stdio: [handshake],
  http: [handshake, stateless],
};

/** Runs each row over its transports and revisions, and prints the number of cases. */
export function table(title: string, rows: readonly Row[]): void {
  let cases = 0;
  describe(title, () => {
    for (const row of rows) {
      for (const transport of row.over ?? (['stdio', 'http'] as const)) {
        for (const revision of row.revisions ?? usual[transport]) {
          cases++;
          it(`${row.name} (${transport}, ${revision})`, () => hold(row, transport, revision));
        }
      }
    }
    counted(title, () => cases);
  });
}

/** Prints the number of cases in a table. */
export function counted(title: string, cases: () => number): void {
  afterAll(() => console.log(`${cases()} cases: ${title}`));
}

async function hold(row: Row, transport: TransportName, revision: string): Promise<void> {
  const { lies = {}, chooses, options, http, raw, stdio } = row;
  const stage = new Stage({ transport, revision, chooses, lies, options, http, raw, stdio });
  try {
    const opening = stage.open();
    if (row.connecting !== true) await opening;
    const outcome = outcomeOf(row.connecting === true ? opening : act(row, stage));
    if (row.waits !== undefined) await pass(row, stage, row.waits);
    expectSeen(await outcome, row.sees);
    if (row.reported !== undefined) await stage.untilReported(row.reported);
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
  await stage.liar.receives(row.awaits ?? (row.connecting === true ? opening : 'tools/call bad'));
  if (row.connecting !== true) await stage.serves();
  await stage.clock.advance(ms);
}

/** The outcome of a promise. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown };

export function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
  return promise.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}

/** Checks an outcome against the expected one. */
export function expectSeen(outcome: Outcome, seen: Seen): void {
  if ('result' in seen) {
    expect(outcome).toEqual({ result: seen.result });
    return;
  }
  if (!('error' in outcome))
    expect.fail(`expected ${seen.error}, got ${JSON.stringify(outcome.result)?.slice(0, 500)}`);
  const { name, message, reason, code, status } = outcome.error as Error & Record<string, unknown>;
  // Errors of calls start with the name of the call, which the table does not repeat.
  const text = message.replace(/^(?:[a-z]+\/)?[a-z]+(?: bad)?: /, '');
  expect({ error: name, text }).toEqual({
    error: seen.error,
    text: expect.stringMatching(seen.text),
  });
  if (seen.why !== undefined) expect(reason ?? code ?? status).toBe(seen.why);
}
