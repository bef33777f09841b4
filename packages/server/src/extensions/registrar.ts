import type { UnknownObject } from '@tenon/mcp-protocol';
import type { EntryRegistrar } from './extension.js';

/** The methods of a server that change its entries. */
export interface EntryOwner {
  tool(name: string, options: UnknownObject, handler: unknown): unknown;
  resource(uri: string, options: UnknownObject, handler: unknown): unknown;
  prompt(name: string, options: UnknownObject, handler: unknown): unknown;
  removeTool(name: string): boolean;
  removeResource(uri: string): boolean;
  removePrompt(name: string): boolean;
  resourceUpdated(uri: string): void;
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
