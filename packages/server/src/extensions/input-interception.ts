import { type Deadline, withDeadline } from '@tenon/foundation';
import {
  type CapabilitySettings,
  decodeResult,
  type InputRequest,
  type InputResponse,
  type Method,
  type MethodParams,
  type MethodResult,
  type Revision,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { negotiated } from '@tenon/mcp-protocol/internal';
import type { Conversation, IncomingRequest } from '@tenon/mcp-session';
import type { ContextParts } from '../context/context.js';
import type { InterceptableInput, InterceptInput } from '../run/run.js';
import type { ClientCallOptions, InterceptedInput, ServerContributions } from './extension.js';
import { isOfferedIn } from './offered.js';

type InputMethod = InputRequest['method'];

/** The member that each answer has, which an answer with a task does not have. */
const required: Readonly<Record<InputMethod, string>> = {
  'elicitation/create': 'action',
  'sampling/createMessage': 'role',
  'roots/list': 'roots',
};

type Negotiation = Pick<ContextParts, 'extensions' | 'shapes'>;

/** Returns the way of input requests through the extensions that intercept some; undefined if none does. */
export function inputInterception(
  extensions: readonly ServerContributions[],
  server: Negotiation,
): InterceptInput | undefined {
  const interceptors = extensions.filter((one) => one.interceptInput !== undefined);
  if (interceptors.length === 0) return undefined;
  const activeIn = new Map<Revision, readonly ServerContributions[]>();
  return (input, send) => {
    const { revision } = input.request;
    const active = activeIn.get(revision) ?? interceptors.filter((one) => isOfferedIn(one, revision));
    activeIn.set(revision, active);
    return active.length === 0 ? send() : intercepted({ server, input, active }, send);
  };
}

/** An input request, and the extensions that intercept it in its revision. */
interface Interception {
  readonly server: Negotiation;
  readonly input: InterceptableInput;
  readonly active: readonly ServerContributions[];
}

/** Rejects when the handler no longer needs the answer, or after `limits.requestTotal`, whatever the extensions do. */
async function intercepted(
  { server, input, active }: Interception,
  send: () => Promise<InputResponse>,
): Promise<InputResponse> {
  const { params, request } = input;
  const answer = await withDeadline(deadlineOf(input), (whole) => {
    const at = async (index: number, changed: UnknownObject, signal: AbortSignal): Promise<object> => {
      const extension = active[index];
      if (extension?.interceptInput === undefined) {
        if (changed === params && signal === whole) return send();
        return sendChanged(input, changed, signal);
      }
      const { method } = input;
      const passed = new InputAtExtension(server, extension, { request, method, params: changed, signal });
      return extension.interceptInput(
        passed,
        (other = changed, own = signal) => at(index + 1, other, own) as Promise<UnknownObject>,
      );
    };
    return at(0, params, whole);
  });
  return checked(answer, input);
}

/** The time for which the answer to one input request is needed. */
function deadlineOf({ request, method, signal }: InterceptableInput): Deadline {
  const { clock, limits } = request.host;
  const ms = limits.requestTotal;
  const late = `${method} did not finish within ${ms} ms; allow it more with the option "limits.requestTotal".`;
  return {
    clock,
    ms,
    signal,
    late: () => new SessionError('timeout', late),
    aborted: (cause) => new SessionError('cancelled', `${method} was cancelled by its caller.`, { cause }),
  };
}

/** Sends changed params, or with another signal. The answer belongs to the extension: no other process waits for it. */
function sendChanged(
  { request, method }: InterceptableInput,
  params: UnknownObject,
  signal: AbortSignal,
): Promise<InputResponse> {
  const options = { signal, timeout: Number.POSITIVE_INFINITY, request };
  return conversationOf(request, method).request(method, params as never, options) as Promise<InputResponse>;
}

/** @throws SessionError `invalid-answer` if an extension settled the input request with something else than an answer to it. */
function checked(answer: unknown, { request, method }: InterceptableInput): InputResponse {
  const { revision } = request;
  const row = revision.requests.server.get(method);
  const decoded = row && decodeResult(revision, row, answer);
  if (decoded?.ok === true && decoded.value[required[method]] !== undefined)
    return decoded.value as unknown as InputResponse;
  const problem = decoded?.ok === false ? decoded.problem : `result.${required[method]}: missing`;
  throw new SessionError('invalid-answer', `The answer to ${method} is not valid: ${problem}`);
}

class InputAtExtension implements InterceptedInput {
  readonly method: InputMethod;
  readonly params: UnknownObject;
  readonly signal: AbortSignal;
  readonly settings: CapabilitySettings | undefined;
  readonly #server: Negotiation;
  readonly #request: IncomingRequest;

  constructor(
    server: Negotiation,
    { id }: ServerContributions,
    { request, method, params, signal }: InterceptableInput,
  ) {
    const { revision, from } = request;
    this.#server = server;
    this.#request = request;
    this.method = method;
    this.params = params;
    this.signal = signal;
    this.settings = negotiated(id, server.extensions?.in(revision), from.clientCapabilities.extensions);
  }

  get revision(): InterceptedInput['revision'] {
    return this.#request.revision;
  }

  get clientCapabilities(): InterceptedInput['clientCapabilities'] {
    return this.#request.from.clientCapabilities;
  }

  request<M extends Method>(
    method: M,
    params: MethodParams<M>,
    options: ClientCallOptions = {},
  ): Promise<MethodResult<M>> {
    const request = this.#request;
    const ask: IncomingRequest['ask'] = (name, given) => {
      const conversation = conversationOf(request, name);
      // Its stream has ended: the request leaves on the stream of the session.
      if (request.finished || request.cancelled) return conversation.request(name, given, options);
      return request.awaiting(conversation.request(name, given, { ...options, request }));
    };
    return this.#server.shapes.call({ ask }, method, params);
  }
}

/** @throws SessionError `not-in-revision` without a session. */
function conversationOf({ host: { conversation } }: IncomingRequest, method: string): Conversation {
  if (conversation !== undefined) return conversation;
  throw new SessionError('not-in-revision', `${method} cannot be sent here: there is no session to ask in.`);
}
