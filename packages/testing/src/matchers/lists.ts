import { isObject, type MatcherState, type Outcome, unfit } from './outcome.js';

type Kind = 'tools' | 'prompts' | 'resources';

/** Expects a client, or a list of tools, with a tool of this name. */
export function toHaveTool(this: MatcherState, received: unknown, name: string): Promise<Outcome> {
  return has(this, received, { kind: 'tools', by: 'name', value: name });
}

/** Expects a client, or a list of prompts, with a prompt of this name. */
export function toHavePrompt(this: MatcherState, received: unknown, name: string): Promise<Outcome> {
  return has(this, received, { kind: 'prompts', by: 'name', value: name });
}

/** Expects a client, or a list of resources, with a resource of this URI. */
export function toHaveResource(this: MatcherState, received: unknown, uri: string): Promise<Outcome> {
  return has(this, received, { kind: 'resources', by: 'uri', value: uri });
}

interface Wanted {
  readonly kind: Kind;
  readonly by: 'name' | 'uri';
  readonly value: string;
}

async function has(state: MatcherState, received: unknown, { kind, by, value }: Wanted): Promise<Outcome> {
  const entries = await entriesOf(received, kind);
  if (entries === undefined) return unfit(state, `a client, or a list of ${kind}`, received);
  const there = entries.map((entry) => (isObject(entry) ? String(entry[by]) : String(entry)));
  const pass = there.includes(value);
  const one = kind.slice(0, -1);
  return {
    pass,
    message: () =>
      pass
        ? `expected no ${one} ${JSON.stringify(value)}, and there is one`
        : `expected a ${one} ${JSON.stringify(value)}; there ${counted(there)}`,
    actual: there,
    expected: value,
  };
}

async function entriesOf(received: unknown, kind: Kind): Promise<readonly unknown[] | undefined> {
  if (Array.isArray(received)) return received;
  if (!isObject(received)) return undefined;
  const own = received[kind];
  if (Array.isArray(own)) return own;
  if (typeof own !== 'function') return undefined;
  const entries: unknown[] = [];
  for await (const entry of (received[kind] as () => AsyncIterable<unknown>)()) entries.push(entry);
  return entries;
}

function counted(there: readonly string[]): string {
  return there.length === 0 ? 'is none' : `${there.length === 1 ? 'is' : 'are'} ${there.join(', ')}`;
}
