import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  Implementation,
} from '@tenon/mcp-client';
import type { PageAddress } from '@tenon/mcp-client/ui';
import type { Origin } from '../access/access-request.js';

/** The server that requests input, and the call that it is for. */
export interface InputContext {
  /** The name of the server in the host. Show it. */
  readonly server: string;
  /** The client info that the server sent; not verified. */
  readonly info: Implementation | undefined;
  /** The user that the host acts for. */
  readonly user: string | undefined;
  /** The tool that was called; undefined if the server sent the request on its own, in a session. */
  readonly tool: string | undefined;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** A form to show. */
export interface FormContext extends InputContext {
  /** Names of fields that seem to ask for a secret. A server must not ask for secrets in forms: warn the user. */
  readonly secretFields: readonly string[];
}

/** A page to visit. */
export interface PageContext extends InputContext {
  /** The address in parts: show all of it. */
  readonly address: PageAddress;
}

/** The functions of a host that answer requests of servers. A request without its function is not declared to servers. */
export interface HostInput {
  /**
   * Shows the user a form. Let the user change what it says before it is sent, and decline. Addresses in a message or a form are text: never make them clickable.
   * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   */
  readonly onElicit?: (
    params: ElicitFormParams,
    context: FormContext,
  ) => ElicitResult | Promise<ElicitResult>;
  /**
   * Gets consent for a page, and opens it in the user's browser if the user agreed. Servers that are not trusted cannot send users to this machine or to a
   * bare number.
   */
  readonly onElicitUrl?: (
    params: ElicitUrlParams,
    context: PageContext,
  ) => Pick<ElicitResult, 'action'> | Promise<Pick<ElicitResult, 'action'>>;
  /**
   * Samples a model, such as `sampleWith(model)` of `@tenon/mcp-host/models`. It is called only after the policy or the user allowed it, and after `reviewSampling`.
   * https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
   */
  readonly onSample?: (params: CreateMessageParams, context: InputContext) => Promise<CreateMessageResult>;
  readonly reviewSampling?: SamplingReview;
}

/** Shows the user what a server sends to a model, and what the model answers. */
export interface SamplingReview {
  /** Returns the params to sample with, as the user left them; false to refuse. */
  request(
    params: CreateMessageParams,
    context: InputContext,
  ): CreateMessageParams | false | Promise<CreateMessageParams | false>;
  /** Returns the result for the server, as the user left it; false to send none. */
  result(
    result: CreateMessageResult,
    context: InputContext,
  ): CreateMessageResult | false | Promise<CreateMessageResult | false>;
}

/** The values that a call of the host passes to the handlers of its input requests. */
export interface CallState {
  readonly origin: Origin;
  readonly tool: string;
  /** Requests for input that the call has had. */
  rounds: number;
}
