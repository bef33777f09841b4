import { MetaKey } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { readRecording } from '@tenon/mcp-testing/recordings';
import { type Catalog, type ListRow, listRows } from '../catalog/catalog.js';
import { WorkbenchError } from '../failures/workbench-error.js';
import { withFile } from '../recordings/file-lock.js';

/** A request with its answer. */
export interface RecordedCall {
  readonly method: string;
  /** The params without `_meta`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The answer: `result` or `error`. Undefined if none came. */
  readonly answer: CallAnswer | undefined;
}

/** The answer to a request. */
export type CallAnswer = { readonly result: unknown } | { readonly error: unknown };

/** A server as a recording shows it. */
export interface RecordedServer {
  readonly catalog: Catalog;
  /** The members of the catalog that are known: a recorded client may not have read all lists. */
  readonly known: ReadonlySet<string>;
  /** The calls of tools, prompts, resources and completions, in order. */
  readonly calls: readonly RecordedCall[];
}

/** A request of any method. */
interface RecordedRequest extends RecordedCall {
  /** The revision in the request, if requests have one. */
  readonly revision: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const callMethods = new Set(['tools/call', 'resources/read', 'prompts/get', 'completion/complete']);

/** Reads the catalog and the calls of a recording. @throws WorkbenchError `usage` if the file is not a recording */
export function readRecordedServer(file: string): RecordedServer {
  const requests = withFile(file, () => readRecording(file)).flatMap(callsOf);
  if (requests.length === 0)
    throw new WorkbenchError('usage', `${file} has no recorded requests.`, {
      hint: 'Record a session with "tenon record", or store a catalog with "tenon list --json".',
    });
  const found: Record<string, unknown[]> = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  const known = new Set<string>();
  let opening: Members = {};
  for (const { method, params, answer, revision } of requests) {
    const result = answer !== undefined && 'result' in answer && isObject(answer.result) ? answer.result : {};
    if (method === 'initialize' || method === 'server/discover') {
      opening = { ...opening, ...openingOf(result, revision) };
      for (const name of Object.keys(opening)) known.add(name);
    }
    const name = listRows.find((row) => row.method === method)?.list;
    const entries = name === undefined ? undefined : result[name];
    if (name === undefined || !Array.isArray(entries)) continue;
    known.add(name);
    // A list without a cursor begins again.
    const before = params.cursor === undefined ? [] : (found[name] ?? []);
    found[name] = [...before, ...(entries as unknown[])];
  }
  return {
    catalog: catalogFrom({ capabilities: {}, ...found, ...opening }, file),
    known,
    calls: requests.filter(({ method }) => callMethods.has(method)),
  };
}

/** Checks a stored catalog. @throws WorkbenchError `usage` */
export function catalogFrom(value: unknown, name: string): Catalog {
  const found = isObject(value) ? value : {};
  const listOf = ({ list, key }: ListRow) => {
    const entries = found[list] ?? [];
    const isValid =
      Array.isArray(entries) && entries.every((one) => isObject(one) && typeof one[key] === 'string');
    if (!isValid)
      throw new WorkbenchError(
        'usage',
        `${name} is not a catalog: "${list}" must list entries with "${key}".`,
      );
    return [list, entries];
  };
  if (!Array.isArray(found.tools) && !isObject(found.capabilities))
    throw new WorkbenchError('usage', `${name} is neither a recording nor a catalog.`, {
      hint: 'Store a catalog with: tenon list SERVER --json > catalog.json',
    });
  return {
    revision: typeof found.revision === 'string' ? found.revision : '',
    server: isObject(found.server) ? found.server : undefined,
    capabilities: isObject(found.capabilities) ? found.capabilities : {},
    instructions: typeof found.instructions === 'string' ? found.instructions : undefined,
    ...Object.fromEntries(listRows.map(listOf)),
  } as Catalog;
}

/** Returns the members of the catalog in the result that opens a session; members that a revision does not send are absent. */
function openingOf(opening: Members, requested: unknown): Members {
  const { protocolVersion = requested, serverInfo, capabilities, instructions } = opening;
  const server = serverInfo ?? (isObject(opening._meta) ? opening._meta[MetaKey.serverInfo] : undefined);
  if (capabilities === undefined) return {};
  return {
    ...{ capabilities, instructions },
    ...(protocolVersion !== undefined && { revision: protocolVersion }),
    ...(server !== undefined && { server }),
  };
}

/** Pairs the requests of a client with their answers. */
function callsOf(
  messages: readonly { readonly from: string; readonly message: unknown }[],
): readonly RecordedRequest[] {
  const calls: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }[] = [];
  const open = new Map<string, (typeof calls)[number]>();
  for (const { from, message } of messages.flatMap(({ from: end, message: one }) =>
    (Array.isArray(one) ? one : [one]).map((each) => ({ from: end, message: each as unknown })),
  )) {
    if (!isObject(message)) continue;
    const id = JSON.stringify(message.id);
    if (from === 'client' && typeof message.method === 'string' && message.id !== undefined) {
      const { _meta, ...params } = isObject(message.params) ? message.params : {};
      const revision = isObject(_meta) ? _meta[MetaKey.protocolVersion] : undefined;
      const call = { method: message.method, params, answer: undefined, revision };
      calls.push(call);
      open.set(id, call);
    } else if (from === 'server' && message.method === undefined) {
      const call = open.get(id);
      open.delete(id);
      if (call === undefined) continue;
      call.answer = message.error === undefined ? { result: message.result } : { error: message.error };
    }
  }
  return calls;
}
