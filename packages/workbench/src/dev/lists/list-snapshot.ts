import { createHash } from 'node:crypto';
import { Pages } from '@tenon/mcp-client/extension';
import { type ListRow, listRows } from '../../catalog/catalog.js';
import { compareEntries, isSameList, type ListDifference } from '../../catalog/lists.js';

/** A list that clients are notified of. */
type ListName = ListRow['capability'];

/** The entries of each list, by name or URI, with a digest of each. Absent: the server has no such list. */
export type ListSnapshot = { readonly [Name in ListName]?: Readonly<Record<string, string>> };

/** The difference between two states of one list. */
export interface ListChange extends ListDifference {
  readonly list: ListName;
}

/** Sends a request to a server and returns its result. */
export type Requester = (method: string, params: object) => Promise<Readonly<Record<string, unknown>>>;

/** Reads the lists of a server. A list that it does not answer is absent. */
export async function readSnapshot(request: Requester): Promise<ListSnapshot> {
  const found: { [Name in ListName]?: Record<string, string> } = {};
  for (const { list: member, method, capability: list, key } of listRows) {
    const entries = await entriesOf(request, { method, member });
    if (entries === undefined) continue;
    const known: Record<string, string> = found[list] ?? Object.create(null);
    found[list] = known;
    for (const entry of entries) {
      const name: unknown = Reflect.get(Object(entry), key);
      if (typeof name === 'string') known[name] = digestOf(entry);
    }
  }
  return found;
}

/** Returns the lists that differ. Without an earlier snapshot, none does. */
export function compareSnapshots(
  before: ListSnapshot | undefined,
  after: ListSnapshot | undefined,
): readonly ListChange[] {
  if (before === undefined || after === undefined) return [];
  return (['tools', 'prompts', 'resources'] as const).flatMap((list) => {
    const [old, now] = [before, after].map((lists) => new Map(Object.entries(lists[list] ?? {})));
    const difference = compareEntries(old ?? new Map(), now ?? new Map());
    return isSameList(difference) ? [] : [{ list, ...difference }];
  });
}

async function entriesOf(
  request: Requester,
  { method, member }: { method: string; member: string },
): Promise<readonly unknown[] | undefined> {
  const read = async (cursor: string | undefined) => {
    const { [member]: listed, nextCursor } = await request(method, cursor === undefined ? {} : { cursor });
    const items: readonly unknown[] = Array.isArray(listed) ? listed : [];
    return { items, ...(typeof nextCursor === 'string' && { nextCursor }) };
  };
  try {
    return await new Pages(method, { pages: 100, listBytes: 67_108_864 }, read).all();
  } catch {
    return undefined;
  }
}

function digestOf(entry: unknown): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('base64url').slice(0, 16);
}
