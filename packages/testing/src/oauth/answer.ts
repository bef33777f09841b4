import type { JsonObject } from '@tenon/mcp-protocol';

/** What a test authorization server sends back. */
export interface TestAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON. */
  readonly body?: string | JsonObject;
}

/** An answer of a hook: `hang-up` closes the connection without a word, undefined leaves it to the server. */
export type HookAnswer = TestAnswer | 'hang-up' | undefined;

/**
 * The error answer of OAuth endpoints, for hooks to give.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.2
 * @param error - such as `invalid_grant`.
 */
export function oauthError(error: string, description?: string, status = 400): TestAnswer {
  return { status, body: { error, ...(description !== undefined && { error_description: description }) } };
}
