import type { CallEvent, DevEvent } from '@tenon/mcp-workbench/dev';

/** Several requests of one client that are printed as one line. */
export interface MergedCalls {
  readonly client: string;
  readonly methods: readonly string[];
  /** Milliseconds from the first request to the last answer. */
  readonly ms: number;
  readonly outcome: CallEvent['outcome'];
}

/** Requests with which clients connect and read lists: they come in groups that say little one by one. */
const routine = /^(?:initialize|server\/discover|ping|logging\/setLevel|\w+(?:\/templates)?\/list)$/;
/** Milliseconds without a further request after which a group is printed. */
const quiet = 100;
/** The most requests of a group. */
const mostMerged = 64;

/** Collects requests of the same client that follow each other at once. */
export class CallMerger {
  readonly #print: (calls: MergedCalls) => void;
  #client = '';
  #outcome: CallEvent['outcome'] = 'ok';
  #methods: string[] = [];
  #began = 0;
  #ended = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(print: (calls: MergedCalls) => void) {
    this.#print = print;
  }

  /** Adds an event to the group. Another event ends the group, and false is returned. @param now - milliseconds of any clock. */
  takes(event: DevEvent, now: number): boolean {
    const isRoutine =
      event.type === 'call' &&
      (event.outcome === 'no-server' || (event.outcome === 'ok' && routine.test(event.method)));
    if (!isRoutine || event.client !== this.#client || event.outcome !== this.#outcome) this.flush();
    if (!isRoutine) return false;
    const began = now - event.ms;
    this.#began = this.#methods.length === 0 ? began : Math.min(this.#began, began);
    this.#ended = now;
    this.#client = event.client;
    this.#outcome = event.outcome;
    this.#methods.push(event.method);
    if (this.#methods.length === mostMerged) this.flush();
    else this.#waitForMore();
    return true;
  }

  #waitForMore(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), quiet);
  }

  /** Prints the group, if there is one. */
  flush(): void {
    clearTimeout(this.#timer);
    if (this.#methods.length === 0) return;
    const methods = this.#methods;
    this.#methods = [];
    this.#print({ client: this.#client, methods, ms: this.#ended - this.#began, outcome: this.#outcome });
  }
}

/** Returns the requests of a group in words; a single one by its method. */
export function wordsOf(methods: readonly string[]): string {
  const [first = ''] = methods;
  if (methods.length === 1) return first;
  const names = new Set(methods);
  const lists = [...names].filter((name) => name.endsWith('/list'));
  const others = [...names].filter((name) => !lists.includes(name));
  const connects = others.filter((name) => name === 'initialize' || name === 'server/discover').length > 0;
  return [
    ...(connects ? ['connect'] : []),
    ...others.filter((name) => name !== 'initialize' && name !== 'server/discover'),
    ...(lists.length === 0 ? [] : [`list ${lists.map(listName).join(', ')}`]),
  ].join(', ');
}

function listName(method: string): string {
  const [name = '', ...rest] = method.split('/');
  return rest.length > 1 ? (rest[0] ?? name) : name;
}
