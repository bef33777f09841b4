import type { Client, ClientOptions } from '@tenon/mcp-client';

/** What the conformance suite tells a client of one scenario besides its name. */
export interface ScenarioContext {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: Record<string, unknown> }[];
}

/** What a client does in one scenario of the conformance suite. */
export interface Scenario {
  /** Handlers, and so capabilities, that the scenario wants. */
  readonly options?: Omit<ClientOptions, 'info' | 'revision'>;
  /** The client has to find the revision by itself, whichever the suite names. */
  readonly negotiates?: true;
  /** Rejects when something is not as it should be. The client is closed afterwards. */
  run(client: Client, context: ScenarioContext): Promise<void>;
}
