import { randomUUID } from 'node:crypto';
import { encodeToolResult, findRevision, latest } from '@tenon/mcp-protocol';
import { type CallToolResult, ErrorCode, RpcError, type ServerExtension } from '@tenon/mcp-server';
import { defineExtension, type ExtensionHost, type SavedCall, serve } from '@tenon/mcp-server/extension';
import { decide, decided, id, resultType } from './review.js';

/** The option that the extension adds to `server.tool`. */
export interface ReviewOption {
  readonly review?: { readonly reason: string };
}

const mostWaiting = 1_000;

/** Runs calls of tools with the option `review` once the client has approved them. */
export function review(): ServerExtension<typeof id, ReviewOption> {
  const waiting = new Map<string, SavedCall>();
  const stopped = new AbortController();
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
      serve(decide, async ({ ticket, approved }, ctx) => {
        const saved = waiting.get(ticket);
        if (saved === undefined || host === undefined)
          throw new RpcError(ErrorCode.invalidParams, 'There is no such ticket.');
        waiting.delete(ticket);
        const { tool } = saved;
        const signal = AbortSignal.any([ctx.signal, stopped.signal]);
        const result = approved ? await host.run(saved, { signal }) : failure(`The review rejected ${tool}.`);
        await host.publish(
          decided,
          { tool, approved },
          { filter: 'reviews', matches: (tools) => Array.isArray(tools) && tools.includes(tool) },
        );
        return { result: encodeToolResult(findRevision(ctx.revision) ?? latest, result) };
      }),
    ],
    interceptToolCall(call, next) {
      const option = call.option('review');
      // A client without the extension knows no other result than the tool's.
      if (option === undefined || call.settings === undefined) return next();
      if (waiting.size >= mostWaiting)
        throw new RpcError(ErrorCode.overloaded, 'Too many calls wait for a review.');
      const ticket = randomUUID();
      waiting.set(ticket, call.saved());
      return { resultType, ticket, reason: option.reason };
    },
    start: (given) => {
      host = given;
    },
    stop: () => stopped.abort(),
  });
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function hasReason(value: unknown): value is { readonly reason: string } {
  return typeof value === 'object' && value !== null && 'reason' in value && typeof value.reason === 'string';
}
