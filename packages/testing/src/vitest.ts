import { expect } from 'vitest';
import { toHavePrompt, toHaveResource, toHaveTool } from './matchers/lists.js';
import { type FailureCode, toRejectWithCode } from './matchers/rejections.js';
import { toBeToolError, toBeToolResult, toHaveStructuredContent } from './matchers/tool-results.js';

export type { FailureCode } from './matchers/rejections.js';

/** What importing this entry adds to `expect`. */
export interface ProtocolMatchers {
  /** `await expect(client).toHaveTool('forecast')`; a list of tools will do as well. */
  toHaveTool(name: string): Promise<void>;
  /** `await expect(client).toHavePrompt('greeting')`. */
  toHavePrompt(name: string): Promise<void>;
  /** `await expect(client).toHaveResource('file:///notes.txt')`. */
  toHaveResource(uri: string): Promise<void>;
  /** A tool call that went well; with a text, one that says this, or something like it. */
  toBeToolResult(text?: string | RegExp): void;
  /** A tool call that failed in a way the model can read; with a text, one that says this, or something like it. */
  toBeToolError(text?: string | RegExp): void;
  /** A tool call with structured content: any, or this. */
  toHaveStructuredContent(expected?: unknown): void;
  /**
   * `await expect(client.callTool(...)).toRejectWithCode('invalidParams')`: an error of the wire by number or name, or a
   * failure at this end by its reason, such as `timeout`.
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
