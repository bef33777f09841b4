import { detach } from '@tenon/foundation';
import type { EntryRegistrar, ServerContributions } from './extension.js';

/** The methods of a server that change its entries. */
export interface EntryOwner extends Pick<EntryRegistrar, 'tool' | 'resource' | 'prompt' | 'resourceUpdated'> {
  removeTool(name: string): boolean;
  removeResource(uri: string): boolean;
  removePrompt(name: string): boolean;
}

/**
 * Has an extension register its entries.
 * @param onError - receives the error of a promise that `register` returned.
 * @throws TypeError that names the extension, if `register` throws or returns a promise: its entries would come too late.
 */
export function registerEntries(
  extension: ServerContributions,
  entries: EntryRegistrar,
  onError: (error: unknown, where: string) => void,
): void {
  const name = `Extension "${extension.id}"`;
  let returned: unknown;
  try {
    returned = extension.register?.(entries);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${name}: register() failed: ${message}`, { cause });
  }
  if (!(returned instanceof Promise)) return;
  detach(returned, (error) => onError(error, name));
  throw new TypeError(
    `${name}: register() returned a promise, but its entries must be registered when createServer() returns: load what it needs before that, or keep the registrar and use it in start().`,
  );
}

/** Returns the registration methods of one extension. Not the server: an extension only contributes. */
export function registrarOf(owner: EntryOwner): EntryRegistrar {
  const own = { tool: new Set<string>(), resource: new Set<string>(), prompt: new Set<string>() };
  const removal = {
    tool: (name: string) => owner.removeTool(name),
    resource: (uri: string) => owner.removeResource(uri),
    prompt: (name: string) => owner.removePrompt(name),
  };
  return {
    tool(name, options, handler) {
      owner.tool(name, options, handler);
      own.tool.add(name);
    },
    resource(uri, options, handler) {
      owner.resource(uri, options, handler);
      own.resource.add(uri);
    },
    prompt(name, options, handler) {
      owner.prompt(name, options, handler);
      own.prompt.add(name);
    },
    remove: (type, name) => own[type].delete(name) && removal[type](name),
    resourceUpdated: (uri) => owner.resourceUpdated(uri),
  };
}
