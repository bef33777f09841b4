import {
  type ConnectOptions,
  type ElicitResult,
  type ElicitUrlParams,
  ErrorCode,
  type InputRequestContext,
  type Root,
  RpcError,
} from '@tenon/mcp-client';
import { readAddress } from '@tenon/mcp-client/ui';
import { type FormAccess, type Origin, originOf, type PageAccess } from '../access/access-request.js';
import { HostError } from '../host-error.js';
import type { Ending, Permitted } from '../requests/requests.js';
import type { CallState, HostInput, InputContext } from './host-input.js';
import { secretFields } from './secret-fields.js';

export interface InputParts {
  /** The name of the server in the host. */
  readonly server: string;
  readonly user: string | undefined;
  readonly isTrusted: boolean;
  readonly input: HostInput;
  readonly roots: readonly Root[] | undefined;
  readonly perform: Permitted;
  readonly onError: (error: unknown, where: string) => void;
}

type InputOptions = Pick<ConnectOptions, 'capabilities' | 'onElicit' | 'onElicitUrl' | 'onSample' | 'roots'>;

/** Returns the options of a client that answer the requests of one server with the functions of the host. */
export function inputOptions(parts: InputParts): InputOptions {
  const { server, input, roots, perform } = parts;
  const { onElicit, onElicitUrl, onSample } = input;
  return {
    ...(onElicit && {
      onElicit: (params, given) => {
        const { call, context } = callOf(parts, given);
        const form = { ...context, secretFields: secretFields(params.requestedSchema) };
        const request = { kind: 'form', server, name: 'form', params, ...call } as const;
        const work = async () => onElicit(params, form);
        return answer(parts, request, { work, signal: given.signal });
      },
    }),
    ...(onElicitUrl && {
      onElicitUrl: (params, given) => {
        const { call, context } = callOf(parts, given);
        const request = { kind: 'page', server, name: params.url, params, ...call } as const;
        const work = () => visit(parts, params, context);
        return answer(parts, request, { work, signal: given.signal });
      },
    }),
    ...(onSample && {
      capabilities: { samplingTools: true },
      onSample: (params, given) => sample(parts, params, given),
    }),
    ...(roots && {
      roots: (given: InputRequestContext) => {
        const { call } = callOf(parts, given);
        const request = { kind: 'roots', server, name: 'roots', roots, ...call } as const;
        return perform(request, async () => roots, { signal: given.signal });
      },
    }),
  };
}

/** Returns the call that a request came with, and counts the request. */
function callOf(
  { server, user }: InputParts,
  { state, server: info, signal }: InputRequestContext,
): { readonly call: Pick<FormAccess, 'origin' | 'forTool'>; readonly context: InputContext } {
  const known = (state ?? {}) as Partial<CallState>;
  const { origin = originOf({ user }), tool } = known;
  if (known.rounds !== undefined) known.rounds++;
  const call = { origin, ...(tool !== undefined && { forTool: tool }) };
  return { call, context: { server, info, user: origin.user, tool, signal } };
}

/** Gets the answer of the user. A refusal of the policy declines, so that the server can go on. */
async function answer<Result extends Pick<ElicitResult, 'action'>>(
  { perform, onError, server }: InputParts,
  request: FormAccess | PageAccess,
  { work, signal }: { readonly work: () => Promise<Result>; readonly signal: AbortSignal },
): Promise<Result | { readonly action: 'decline' }> {
  const endingOf = ({ action }: Result): Ending => {
    if (action === 'accept') return {};
    const outcome = action === 'decline' ? 'refused' : 'cancelled';
    return { ended: { outcome, reason: `The answer was ${action}.` } };
  };
  try {
    return await perform(request, work, { signal, endingOf });
  } catch (error) {
    if (!(error instanceof HostError) || (error.reason !== 'denied' && error.reason !== 'limit')) throw error;
    onError(error, `elicitation of ${server}`);
    return { action: 'decline' };
  }
}

/** Sends the user to a page, unless a server that is not trusted names this machine or a bare number. */
async function visit(
  { server, isTrusted, input }: InputParts,
  params: ElicitUrlParams,
  context: InputContext,
): Promise<Pick<ElicitResult, 'action'>> {
  const address = readAddress(params.url);
  const refused = address.warnings.find(({ kind }) => kind === 'this-machine' || kind === 'ip-address');
  if (refused !== undefined && !isTrusted)
    throw new HostError('denied', `${server} sent the user to ${address.host}. ${refused.text}`, { server });
  return (await input.onElicitUrl?.(params, { ...context, address })) ?? { action: 'cancel' };
}

async function sample(
  parts: InputParts,
  params: Parameters<NonNullable<HostInput['onSample']>>[0],
  given: InputRequestContext,
): ReturnType<NonNullable<HostInput['onSample']>> {
  const { server, input, perform } = parts;
  const { onSample, reviewSampling } = input;
  const { call, context } = callOf(parts, given);
  const origin: Origin = { ...call.origin, way: 'sampling' };
  const request = { kind: 'sampling', server, name: 'sampling', params, ...call, origin } as const;
  const work = async () => {
    const reviewed = reviewSampling === undefined ? params : await reviewSampling.request(params, context);
    if (reviewed === false || onSample === undefined) throw rejected();
    const result = await onSample(reviewed, context);
    const value = reviewSampling === undefined ? result : await reviewSampling.result(result, context);
    if (value === false) throw rejected();
    return value;
  };
  return perform(request, work, { signal: context.signal });
}

function rejected(): RpcError {
  return new RpcError(ErrorCode.userRejected, 'The user rejected the sampling request.');
}
