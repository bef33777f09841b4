import type { Contract, GetPromptParams, GetPromptResult, Prompt } from '@tenon/mcp-protocol';
import type { CallOptions } from '../calls/call-options.js';
import type { Caller } from '../calls/caller.js';
import { type ListSettings, Pages, pageParams } from './pagination.js';

/** Names of the prompts of a contract. */
export type PromptName<C extends Contract> = keyof C['prompts'] & string;

/** The arguments of a prompt. */
export type PromptArguments<C extends Contract, N extends string> = [N] extends [keyof C['prompts']]
  ? C['prompts'][N] extends { readonly args: infer A }
    ? A
    : { readonly [key: string]: string }
  : { readonly [key: string]: string };

/** Reads `prompts/list`. https://modelcontextprotocol.io/specification/latest/server/prompts */
export function listPrompts(caller: Caller, { bounds, call }: ListSettings): Pages<Prompt> {
  return new Pages('prompts/list', bounds, async (cursor) => {
    const { prompts: items, ...rest } = await caller.read('prompts/list', pageParams(cursor), call);
    return { ...rest, items };
  });
}

/** Gets one prompt. https://modelcontextprotocol.io/specification/latest/server/prompts#getting-a-prompt */
export async function getPrompt(
  caller: Caller,
  { name, args }: { name: string; args: object | undefined },
  options?: CallOptions,
): Promise<GetPromptResult> {
  const params = args === undefined ? { name } : { name, arguments: args };
  const result = await caller.call('prompts/get', params as GetPromptParams, options);
  if (!result.messages.some(({ content }) => content.type === 'resource_link')) return result;
  const messages = result.messages.map((message) => {
    const [content = message.content] = caller.icons.cleanLinks([message.content]);
    return { ...message, content };
  });
  return { ...result, messages };
}
