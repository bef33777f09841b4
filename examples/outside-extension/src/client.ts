import type { ClientExtension } from '@tenon/mcp-client';
import { defineExtension, listen } from '@tenon/mcp-client/extension';
import { decide, decided, id, resultType } from './review.js';

export interface ReviewOptions {
  /** Approves the call of a tool before it runs. */
  approve(tool: string, reason: string): boolean | Promise<boolean>;
  onDecided?(decision: { tool: string; approved: boolean }): void;
}

/** Calls of tools that need a review: `connect(target, { extensions: [review({ approve })] })`. */
export function review({ approve, onDecided }: ReviewOptions): ClientExtension<typeof id> {
  return defineExtension({
    id,
    filters: ['reviews'], // client.watch({ filters: { reviews: ['draft'] } }, ...)
    notifications: [listen(decided, (decision) => onDecided?.(decision))],
    resultTypes: [
      {
        type: resultType,
        async settle({ ticket, reason }, { params, options: { signal }, client }) {
          const approved = await approve(params.name, String(reason));
          const answer = await client.request(decide, { ticket: String(ticket), approved }, { signal });
          return client.readToolResult(params.name, answer.result);
        },
      },
    ],
  });
}
