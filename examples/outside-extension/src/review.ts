// What both ends of the extension agree on.
import { defineMethod, defineNotification } from '@tenon/mcp-protocol';
import { z } from 'zod';

export const id = 'com.example/review';
export const resultType = 'com.example/review';

/** Approves or rejects a call that waits, and returns its result. */
export const decide = defineMethod('com.example.review/decide', {
  params: z.object({ ticket: z.string(), approved: z.boolean() }),
  result: { type: 'object', properties: { result: { type: 'object' } }, required: ['result'] },
});

/** A call was approved or rejected. */
export const decided = defineNotification('notifications/com.example.review/decided', {
  params: z.object({ tool: z.string(), approved: z.boolean() }),
});
