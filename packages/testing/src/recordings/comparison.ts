import type { Connection } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import { memoryPair } from '@tenon/mcp-transport-memory';
import { settled } from '../fake-clock.js';
import { type Comparing, type Difference, Playback } from './playback.js';
import { withoutSecrets } from './redaction.js';
import type { ClientSettings } from './replayed-client.js';
import { lineOf, type Step } from './transcript.js';

/** The outcome of playing the client of a recording to a server, to the end. */
export interface Comparison {
  /** All differences, in the order in which they were found; empty if the server answers as recorded. */
  readonly differences: readonly Difference[];
  /** The number of compared messages. */
  readonly compared: number;
  /** Returns the text of the recording with the messages of this server. Ids, redacted values and expectations that hold stay as they are. */
  updated(): string;
}

/** A change of the lines of a recording. */
interface Edit {
  /** The first line to replace, from 1; lines are inserted before it. */
  readonly line: number;
  readonly removed: number;
  readonly inserted: string;
}

/** Collects the differences of several connections, and the changes of the file. */
export class ComparisonBuilder {
  readonly #text: string;
  readonly #differences: Difference[] = [];
  readonly #edits: Edit[] = [];
  #compared = 0;

  /** @param text - the recording */
  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the observer of one connection. @param first - its first step */
  comparing(first: Step | undefined): Comparing {
    let after = (first?.line ?? 1) - 1;
    return {
      arrived: (step, updated) => {
        this.#compared++;
        const from = step?.from ?? 'server';
        const inserted = lineOf(from, withoutSecrets(updated));
        if (step === undefined) this.#edits.push({ line: after + 1, removed: 0, inserted });
        else {
          if (JSON.stringify(updated) !== JSON.stringify(step.message))
            this.#edits.push({ line: step.line, removed: step.lines, inserted });
          after = Math.max(after, step.line + step.lines - 1);
        }
      },
      differs: (difference) => {
        this.#differences.push(difference);
      },
    };
  }

  /** Removes a step that did not arrive from the updated recording. */
  remove({ line, lines }: Step): void {
    this.#edits.push({ line, removed: lines, inserted: '' });
  }

  build(): Comparison {
    return {
      differences: this.#differences,
      compared: this.#compared,
      updated: () => this.#edited(),
    };
  }

  #edited(): string {
    const rows = this.#text.split('\n');
    // From the end, so that the earlier line numbers stay valid.
    const edits = [...this.#edits].sort((a, b) => b.line - a.line || b.removed - a.removed);
    for (const { line, removed, inserted } of edits)
      rows.splice(line - 1, removed, ...(inserted === '' ? [] : inserted.trimEnd().split('\n')));
    return rows.join('\n');
  }
}

/** Plays a recorded client to a server to the end; differences go to the `comparing` of the script. */
export async function compareClient(
  server: { accept(connection: Connection): unknown },
  settings: ClientSettings & { readonly skipped: (step: Step) => void },
): Promise<void> {
  const { script, clock, patience, skipped } = settings;
  const [near, far] = memoryPair();
  server.accept(far);
  let finish = (): void => {};
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const differs = (difference: Difference): void => {
    script.comparing?.differs(difference);
    const { id, method } = (difference.came ?? {}) as { id?: unknown; method?: unknown };
    if (difference.kind !== 'unexpected' || id === undefined || method === undefined) return;
    // The recorded client has no answer, and the server may wait for one.
    const error = { code: -32601, message: 'This request is not in the recording that is played.' };
    detach(near.send(JSON.stringify({ jsonrpc: '2.0', id, error })), finish);
  };
  const comparing = script.comparing && { ...script.comparing, differs };
  const playback = new Playback(comparing === undefined ? script : { ...script, comparing }, {
    send: (frame) => detach(near.send(frame), finish),
    close: () => detach(near.close(), finish),
    diverged: finish,
  });
  const skip = (why: string): void => {
    const { missing } = playback;
    if (missing === undefined) return;
    skipped(missing);
    playback.skip(missing, why);
  };
  let cancel = (): void => {};
  const arm = (): void => {
    cancel();
    if (playback.missing === undefined) finish();
    else
      cancel = clock.schedule(
        () => {
          skip(`nothing came within ${patience} ms`);
          arm();
        },
        patience,
        true,
      );
  };
  const heard = (message: unknown): undefined => {
    playback.receive(message);
    arm();
    return undefined;
  };
  near.start({
    receive: heard,
    malformed: heard,
    closed: () => {
      while (playback.missing !== undefined) skip('the server ended the connection');
      finish();
    },
  });
  try {
    playback.begin();
    arm();
    await over;
    // A server that sends more than was recorded does so now.
    await settled();
  } finally {
    cancel();
    await near.close();
  }
}
