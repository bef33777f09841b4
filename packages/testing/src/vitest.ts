import { expect } from 'vitest';
import { toHavePrompt, toHaveResource, toHaveTool } from './matchers/lists.js';
import { type FailureCode, toRejectWithCode } from './matchers/rejections.js';
import { toBeToolError, toBeToolResult, toHaveStructuredContent } from './matchers/tool-results.js';

export type { FailureCode } from './matchers/rejections.js';

/** Matchers that importing this entry adds to `expect`. */
export interface ProtocolMatchers {
  /** `await expect(client).toHaveTool('forecast')`; also accepts a list of tools. */
  toHaveTool(name: string): Promise<void>;
  /** `await expect(client).toHavePrompt('greeting')`. */
  toHavePrompt(name: string): Promise<void>;
  /** `await expect(client).toHaveResource('file:///notes.txt')`. */
  toHaveResource(uri: string): Promise<void>;
  /** Expects a successful tool call; with a text, one with this text, or a text that matches. */
  toBeToolResult(text?: string | RegExp): void;
  /** Expects a tool call with a tool error; with a text, one with this text, or a text that matches. */
  toBeToolError(text?: string | RegExp): void;
  /** Expects a tool call with structured content: any, or this. */
  toHaveStructuredContent(expected?: unknown): void;
  /**
   * `await expect(client.callTool(...)).toRejectWithCode('invalidParams')`: an error on the wire by number or name, or a
   * local error by its reason, such as `timeout`.
   */
  toRejectWithCode(code: FailureCode): Promise<void>;
}

declare module 'vitest' {
  interface Matchers<T> extends ProtocolMatchers {}
}

expect.extend({
  toHaveTool,
  toHavePrompt,
  toHaveResource,
  toBeToolResult,
  toBeToolError,
  toHaveStructuredContent,
  toRejectWithCode,
});
