import type { AccessRequest, ConsentAnswer, GrantStore, HostTool } from '@tenon/mcp-host';
import { isObject } from '@tenon/mcp-protocol/internal';

/** Answers for the time of the conversation that are remembered for display, at most. */
const mostAnswers = 10_000;

/** The answers of the user, for display in the list of tools. */
export class KeptAnswers {
  readonly #store: GrantStore;
  /** The digests that the user agreed to until the conversation ends, by server and tool. */
  readonly #run = new Map<string, string>();

  constructor(store: GrantStore) {
    this.#store = store;
  }

  /** Remembers an answer that holds for the time of the conversation. */
  add(request: AccessRequest, answer: ConsentAnswer): void {
    if (request.kind !== 'tool' || answer !== 'run' || this.#run.size >= mostAnswers) return;
    this.#run.set(JSON.stringify([request.server, request.name]), request.digest);
  }

  /** Returns the answer that holds for a tool as it is now; undefined if the user is asked. */
  async answerFor({ server, tool, digest }: HostTool): Promise<'run' | 'always' | 'never' | undefined> {
    const value = await this.#store.read(placeOf(server));
    const entries = isObject(value?.entries) ? value.entries : {};
    const key = `tool ${tool.name}`;
    const known = Object.hasOwn(entries, key) ? (entries as Record<string, unknown>)[key] : undefined;
    if (isObject(known)) {
      if (known.answer === 'never') return 'never';
      if (known.answer === 'always' && known.digest === digest) return 'always';
    }
    return this.#run.get(JSON.stringify([server, tool.name])) === digest ? 'run' : undefined;
  }

  /** Forgets the lasting answers for a server: its tools count as new. */
  async forget(server: string): Promise<void> {
    await this.#store.change(placeOf(server), () => undefined);
  }
}

/** The key under which the host keeps the answers for a server. */
function placeOf(server: string): string {
  return JSON.stringify([null, server]);
}
