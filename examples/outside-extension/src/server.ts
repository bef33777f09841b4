import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  defineExtension,
  ErrorCode,
  type ExtensionHost,
  RpcError,
  type ServerExtension,
  serve,
} from '@tenon/mcp-server';
import { decide, decided, id, resultType } from './review.js';

/** The option that the extension adds to `server.tool`. */
export interface ReviewOption {
  readonly review?: { readonly reason: string };
}

const mostHeld = 1_000;

/** Holds results of tools with the option `review` until the client has decided. */
export function review(): ServerExtension<typeof id, ReviewOption> {
  const held = new Map<string, { readonly tool: string; readonly result: CallToolResult }>();
  let host: ExtensionHost | undefined;
  return defineExtension<typeof id, ReviewOption>({
    id,
    filters: {
      reviews: { check: (value) => (Array.isArray(value) ? undefined : 'must be a list of names of tools') },
    },
    toolOptions: {
      review: {
        check: (value) => (hasReason(value) ? undefined : 'must be an object with a reason'),
        meta: (value) => ({ [id]: { reason: value?.reason } }),
      },
    },
    resultTypes: [resultType],
    methods: [
      serve(decide, async ({ ticket, approved }) => {
        const found = held.get(ticket);
        if (found === undefined) throw new RpcError(ErrorCode.invalidParams, 'There is no such ticket.');
        held.delete(ticket);
        const { tool, result } = found;
        await host?.publish(
          decided,
          { tool, approved },
          { filter: 'reviews', matches: (tools) => Array.isArray(tools) && tools.includes(tool) },
        );
        return {
          result: approved ? result : { content: [text(`The review rejected ${tool}.`)], isError: true },
        };
      }),
    ],
    async interceptToolCall(call, next) {
      const option = call.option('review');
      const result = await next();
      // A client without the extension knows no other result than the tool's.
      if (!hasReason(option) || call.settings === undefined || 'resultType' in result) return result;
      if (held.size >= mostHeld)
        throw new RpcError(ErrorCode.overloaded, 'Too many results wait for a review.');
      const ticket = randomUUID();
      held.set(ticket, { tool: call.name, result: result as CallToolResult });
      return { resultType, ticket, reason: option.reason };
    },
    start: (given) => {
      host = given;
    },
    stop: () => held.clear(),
  });
}

function text(value: string): CallToolResult['content'][number] {
  return { type: 'text', text: value };
}

function hasReason(value: unknown): value is { readonly reason: string } {
  return typeof value === 'object' && value !== null && 'reason' in value && typeof value.reason === 'string';
}
