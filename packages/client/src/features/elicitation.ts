import { BoundedMap } from '@tenon/foundation';
import {
  type ElicitFormParams,
  type ElicitParams,
  type ElicitResult,
  type ElicitUrlParams,
  ErrorCode,
  type FormSchema,
  RemoteError,
  RemoteUrlElicitationError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { FormContent } from '../input/form.js';
import type { InputRequestContext, InputRequestHandler } from '../input/input-requests.js';
import type { Session } from '../session/session.js';
import type { Feature } from './feature.js';
import { addressProblem } from './page-address.js';

/**
 * Shows the user a form. Show the name of the server, and let the user change, decline and cancel. Addresses in a message or a
 * form are plain text: do not make them clickable, and do not open them.
 * Missing fields of accepted content get the defaults of the form; the content must match the form.
 * https://modelcontextprotocol.io/specification/latest/client/elicitation
 */
export type OnElicit = (
  params: ElicitFormParams,
  context: InputRequestContext,
) => ElicitResult | Promise<ElicitResult>;

/**
 * Requests the user's consent to open a page. Show the full URL and the name of the server; open it, hidden from this program and from
 * models, only after the user agreed; then answer `accept`. Never fetch it before. `consentToUrl` of
 * `@tenon/mcp-client/ui` returns such a handler.
 * https://modelcontextprotocol.io/specification/latest/client/elicitation
 */
export type OnElicitUrl = (
  params: ElicitUrlParams,
  context: InputRequestContext,
) => Pick<ElicitResult, 'action'> | Promise<Pick<ElicitResult, 'action'>>;

/** The handlers of an application for elicitation. */
export interface ElicitationHandlers {
  readonly onElicit?: OnElicit;
  readonly onElicitUrl?: OnElicitUrl;
  readonly onElicitComplete?: (elicitationId: string) => void;
}

/** Elicitation as a feature of a client, in the modes that have a handler. */
export function elicitationFeature(
  elicitation: Elicitation,
  { onElicit, onElicitUrl, onElicitComplete }: ElicitationHandlers,
): Feature {
  return {
    name: 'elicitation',
    capabilities: () => ({
      elicitation: { ...(onElicit && { form: {} }), ...(onElicitUrl && { url: {} }) },
    }),
    inputs: { 'elicitation/create': elicitation },
    notifications: {
      'notifications/elicitation/complete': ({ elicitationId }) => {
        if (elicitation.completes(String(elicitationId))) onElicitComplete?.(String(elicitationId));
      },
    },
  };
}

/** Returns the errors for callers: an error that requires visits to pages has its own class, and the end of the visits is then reported. */
export function callErrors(
  elicitation: Elicitation | undefined,
): (error: unknown, session: Session) => unknown {
  return (error, { revision }) => {
    if (!revision.rules.urlElicitationError || !(error instanceof RemoteError)) return error;
    if (error.code !== ErrorCode.urlElicitationRequired || !isObject(error.data)) return error;
    const { elicitations } = error.data;
    if (!Array.isArray(elicitations)) return error;
    const pages = elicitations.filter(isUrlElicitation).map(asBrowsersReadIt);
    elicitation?.expect(pages);
    return new RemoteUrlElicitationError(error, pages);
  };
}

/** Answers `elicitation/create` in the modes an application handles. */
export class Elicitation implements InputRequestHandler {
  readonly #handlers: ElicitationHandlers;
  /** The pages that the user agreed to visit. */
  readonly #open = new BoundedMap<string, true>(mostOpen);

  constructor(handlers: ElicitationHandlers) {
    this.#handlers = handlers;
  }

  undeclared(params: UnknownObject): string | undefined {
    const url = params.mode === 'url';
    const handler = url ? this.#handlers.onElicitUrl : this.#handlers.onElicit;
    return handler === undefined ? `elicitation in ${url ? 'url' : 'form'} mode` : undefined;
  }

  problem(params: UnknownObject): string | undefined {
    const asked = params as unknown as ElicitParams;
    const problem = asked.mode === 'url' ? addressProblem(asked.url) : undefined;
    return problem && `params.url: ${problem}`;
  }

  async answer(params: UnknownObject, context: InputRequestContext): Promise<UnknownObject> {
    const asked = params as unknown as ElicitParams;
    return asked.mode === 'url' ? this.#visit(asked, context) : this.#fillIn(asked, context);
  }

  /** Stores the pages of an error, so that their completion is known. */
  expect(elicitations: readonly ElicitUrlParams[]): void {
    for (const { elicitationId } of elicitations) this.#await(elicitationId);
  }

  /** True for the first completion of a page that the user was sent to. */
  completes(elicitationId: string): boolean {
    return this.#open.delete(elicitationId);
  }

  #await(id: string | undefined): void {
    if (id !== undefined && id.length <= longestId) this.#open.set(id, true);
  }

  async #fillIn(params: ElicitFormParams, context: InputRequestContext): Promise<UnknownObject> {
    const result = await this.#handlers.onElicit?.(params, context);
    if (!isObject(result) || result.action !== 'accept') return withoutContent(result);
    const content = await matching(params.requestedSchema, result.content as FormContent | undefined);
    return { ...result, content };
  }

  async #visit(params: ElicitUrlParams, context: InputRequestContext): Promise<UnknownObject> {
    const result = await this.#handlers.onElicitUrl?.(asBrowsersReadIt(params), context);
    if (isObject(result) && result.action === 'accept') this.#await(params.elicitationId);
    return withoutContent(result);
  }
}

const mostOpen = 1_024;
const longestId = 1_024;

async function matching(schema: FormSchema, given: FormContent | undefined): Promise<FormContent> {
  const { formProblem, withFormDefaults } = await import('../input/form.js');
  const content = withFormDefaults(schema, given);
  const problem = formProblem(schema, content);
  if (problem === undefined) return content;
  throw new TypeError(`onElicit returned content that does not match the form: ${problem}`);
}

function withoutContent(result: unknown): UnknownObject {
  if (!isObject(result)) throw new TypeError('An elicitation handler must return an object with an action.');
  const { content: _, ...rest } = result;
  return rest;
}

// An error was not checked like a request.
function isUrlElicitation(value: unknown): value is ElicitUrlParams {
  if (!isObject(value) || value.mode !== 'url' || typeof value.message !== 'string') return false;
  const { url, elicitationId } = value;
  return typeof url === 'string' && addressProblem(url) === undefined && typeof elicitationId === 'string';
}

function asBrowsersReadIt(params: ElicitUrlParams): ElicitUrlParams {
  return { ...params, url: new URL(params.url).href };
}
