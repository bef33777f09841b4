import {
  type CompleteParams,
  type CompleteResult,
  ErrorCode,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import { admitted } from '../budget/rates.js';
import {
  type Completer,
  type CompletionContext,
  type CompletionReturn,
  Context,
  type HandlerParts,
} from '../context/context.js';
import { requireScopes } from '../core/call-port.js';
import type { ServerFeature } from '../core/feature.js';
import { whenSettled } from '../run/run.js';
import type { Prompts } from './prompts.js';
import type { Resources } from './resources/resources.js';

/** The most values in one response. */
const mostValues = 100;

/** Completes arguments of prompts and resource templates; installed with the first completer. */
export function completion(
  { context, rates }: HandlerParts,
  prompts: Prompts,
  resources: Resources,
): ServerFeature {
  const handle = (request: IncomingRequest, isAdmitted = false): UnknownObject | Promise<UnknownObject> => {
    const admission = isAdmitted ? undefined : rates.completions?.admit(request);
    if (admission !== undefined) return admitted(admission, request, () => handle(request, true));
    const params = request.params as unknown as CompleteParams;
    const completer = findCompleters(request, prompts, resources)?.get(params.argument.name);
    if (completer === undefined) return toResult([]);
    const ctx = Object.assign(new Context(context, request), {
      chosen: params.context?.arguments ?? {},
    });
    return whenSettled(completer(params.argument.value, ctx as CompletionContext), toResult);
  };
  return {
    name: 'completions',
    whenUsed: true,
    capabilities: { completions: {} },
    methods: { 'completion/complete': { handle } },
  };
}

interface Suggested {
  readonly values?: readonly string[];
  readonly total?: number;
}

function findCompleters(
  request: IncomingRequest,
  prompts: Prompts,
  resources: Resources,
): ReadonlyMap<string, Completer> | undefined {
  const { ref } = request.params as unknown as CompleteParams;
  const found =
    ref.type === 'ref/prompt'
      ? prompts.find(ref.name, request.principal)
      : resources.find(ref.uri, request.principal);
  if (found === undefined) {
    const name = ref.type === 'ref/prompt' ? `prompt: ${ref.name}` : `resource template: ${ref.uri}`;
    throw new RpcError(ErrorCode.invalidParams, `Unknown ${name.slice(0, 256)}`);
  }
  if (found.scopes !== undefined) requireScopes(request, found.scopes);
  return found.completers;
}

/** @throws TypeError if it is not a list of strings. */
function toResult(found: CompletionReturn): CompleteResult & UnknownObject {
  const { values: all, total = all?.length }: Suggested = isList(found) ? { values: found } : (found ?? {});
  const values = isList(all) ? all.slice(0, mostValues) : undefined;
  if (values === undefined || total === undefined || values.some((value) => typeof value !== 'string'))
    throw new TypeError('A completer must give a list of texts, or an object that has them as "values".');
  return { completion: { values, total, hasMore: total > values.length } };
}

function isList(found: unknown): found is readonly string[] {
  return Array.isArray(found);
}
