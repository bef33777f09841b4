import type { AuthErrorReason } from '@tenon/mcp-auth/client';
import type { Client, ClientOptions } from '@tenon/mcp-client';

/** The values that the conformance suite passes to a client for one scenario. */
export interface ScenarioContext {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: Record<string, unknown> }[];
  readonly client_id?: string;
  readonly client_secret?: string;
  /** The authorization server that has registered this client. */
  readonly issuer?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_issuer?: string;
  readonly idp_token_endpoint?: string;
  /** The assertion that authenticates this client. */
  readonly valid_jwt?: string;
}

/** Handlers, which decide the client's capabilities, and the `auth` option. */
export type ScenarioOptions = Omit<ClientOptions, 'info' | 'revision'>;

/** The actions of a client in one scenario of the conformance suite. */
export interface Scenario {
  /** The client options of the scenario; a function gets the values of the suite. */
  readonly options?: ScenarioOptions | ((context: ScenarioContext) => ScenarioOptions);
  /** True if the client must negotiate the revision, whichever the suite names. */
  readonly negotiates?: true;
  /** The reason for which the client must fail to sign in. */
  readonly refusal?: AuthErrorReason;
  /** Rejects if a value is wrong. The client is closed afterwards. */
  run(client: Client, context: ScenarioContext): Promise<void>;
}
