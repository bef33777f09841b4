import type { InputResponse, UnknownObject } from '@tenon/mcp-protocol';
import type { InputInterception } from '../input/input-requests.js';
import type { ClientContributions, ExtensionClient } from './extension.js';

/** Returns the way of input requests through the extensions that answer some; undefined if no extension does. */
export function inputInterception(
  extensions: readonly ClientContributions[],
  clients: ReadonlyMap<string, ExtensionClient>,
): InputInterception | undefined {
  const interceptors = extensions.filter(({ interceptInput }) => interceptInput !== undefined);
  if (interceptors.length === 0) return undefined;
  return ({ method, params, signal: own }, handle) => {
    // The first extension is outermost.
    const from = async (index: number, signal: AbortSignal): Promise<UnknownObject> => {
      const extension = interceptors[index];
      if (extension === undefined) return handle(signal);
      const next = (other = signal) => from(index + 1, other) as Promise<object> as Promise<InputResponse>;
      const client = clients.get(extension.id);
      if (client?.settings === undefined) return from(index + 1, signal);
      const answer = await extension.interceptInput?.({ method, params, signal, client }, next);
      return answer as UnknownObject;
    };
    return from(0, own);
  };
}
