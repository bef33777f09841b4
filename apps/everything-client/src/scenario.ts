import type { AuthErrorReason } from '@tenon/mcp-auth/client';
import type { Client, ClientOptions } from '@tenon/mcp-client';

/** What the conformance suite tells a client of one scenario besides its name. */
export interface ScenarioContext {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: Record<string, unknown> }[];
  readonly client_id?: string;
  readonly client_secret?: string;
  /** The authorization server that knows this client. */
  readonly issuer?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_issuer?: string;
  readonly idp_token_endpoint?: string;
  /** What vouches for this client. */
  readonly valid_jwt?: string;
}

/** Handlers, and so capabilities, and ways to sign in. */
export type ScenarioOptions = Omit<ClientOptions, 'info' | 'revision'>;

/** What a client does in one scenario of the conformance suite. */
export interface Scenario {
  /** What the scenario wants of the client; a function makes it of what the suite tells. */
  readonly options?: ScenarioOptions | ((context: ScenarioContext) => ScenarioOptions);
  /** The client has to find the revision by itself, whichever the suite names. */
  readonly negotiates?: true;
  /** The client must not be let in: why it gives up. */
  readonly refusal?: AuthErrorReason;
  /** Rejects when something is not as it should be. The client is closed afterwards. */
  run(client: Client, context: ScenarioContext): Promise<void>;
}
