import { detach } from '@tenon/foundation';
import type { Client } from '@tenon/mcp-client';
import {
  type CatalogList,
  compareLists,
  isSameList,
  type ListDifference,
  readList,
} from '@tenon/mcp-workbench';

/** The events of {@link WatchedLists}. */
interface ListEvents {
  onDifference(list: CatalogList, difference: ListDifference): void;
  onFailure(list: CatalogList, error: unknown): void;
}

/** The lists that a notification is about. Templates have no notification of their own. */
export const notifiedLists: Readonly<Record<'tools' | 'prompts' | 'resources', readonly CatalogList[]>> = {
  tools: ['tools'],
  prompts: ['prompts'],
  resources: ['resources', 'resourceTemplates'],
};

/** All lists of a server. */
export const everyList: readonly CatalogList[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];

/** The lists of a server, read again when they may have changed. */
export class WatchedLists {
  readonly #client: Client;
  readonly #events: ListEvents;
  readonly #signal: AbortSignal;
  readonly #lists: { readonly [L in CatalogList]: OneList } = {
    tools: newList(),
    resources: newList(),
    resourceTemplates: newList(),
    prompts: newList(),
  };

  /** @param signal - cancels the running reads. */
  constructor(client: Client, events: ListEvents, signal: AbortSignal) {
    this.#client = client;
    this.#events = events;
    this.#signal = signal;
  }

  /** Reads lists for the first time. Rejects as the client's lists do. */
  async start(lists: readonly CatalogList[]): Promise<void> {
    await Promise.all(
      lists.map(async (list) => {
        this.#lists[list].entries = await this.#read(list);
      }),
    );
  }

  /**
   * Reads lists again, and reports the differences. A list that is being read is read once more afterwards.
   * @param announced - true if the server has announced a change: then a list without a difference is reported too.
   */
  refresh(lists: readonly CatalogList[], announced: boolean): void {
    const [first = 'tools'] = lists;
    detach(this.#refreshAll(lists, announced), (error) => this.#events.onFailure(first, error));
  }

  async #refreshAll(lists: readonly CatalogList[], announced: boolean): Promise<void> {
    const known = lists.filter((list) => this.#lists[list].entries !== undefined);
    const differences = await Promise.all(known.map((list) => this.#refresh(list)));
    const isSame = differences.every((difference) => difference === 'same');
    const [first] = known;
    if (announced && isSame && first !== undefined)
      this.#events.onDifference(first, { added: [], removed: [], changed: [] });
  }

  async #refresh(list: CatalogList): Promise<'same' | 'other'> {
    const state = this.#lists[list];
    if (state.isReading) {
      state.isStale = true;
      return 'other';
    }
    state.isReading = true;
    let outcome: 'same' | 'other' = 'same';
    try {
      do {
        state.isStale = false;
        const entries = await this.#read(list);
        const difference = compareLists(list, state.entries ?? [], entries);
        state.entries = entries;
        if (isSameList(difference)) continue;
        outcome = 'other';
        this.#events.onDifference(list, difference);
      } while (state.isStale && !this.#signal.aborted);
    } catch (error) {
      outcome = 'other';
      if (!this.#signal.aborted) this.#events.onFailure(list, error);
    } finally {
      state.isReading = false;
    }
    return outcome;
  }

  #read(list: CatalogList): Promise<Entries> {
    return readList(this.#client, list, { fresh: true, signal: this.#signal });
  }
}

type Entries = Awaited<ReturnType<typeof readList<CatalogList>>>;

interface OneList {
  entries: Entries | undefined;
  isReading: boolean;
  /** True if the list may have changed since the running read began. */
  isStale: boolean;
}

function newList(): OneList {
  return { entries: undefined, isReading: false, isStale: false };
}
