import {
  type ConnectOptions,
  type ElicitUrlParams,
  ErrorCode,
  type InputRequestContext,
  type Root,
  RpcError,
} from '@tenon/mcp-client';
import { readAddress } from '@tenon/mcp-client/ui';
import type { AccessRequest, Origin } from '../access/access-request.js';
import type { CallState, HostInput, InputContext } from './host-input.js';
import { secretFields } from './secret-fields.js';

export interface InputParts {
  /** The name of the server in the host. */
  readonly server: string;
  readonly user: string | undefined;
  readonly isTrusted: boolean;
  readonly input: HostInput;
  readonly roots: readonly Root[] | undefined;
  /** Runs `work` if the request is permitted, and records it. */
  readonly perform: <T>(request: AccessRequest, work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  readonly onError: (error: unknown, where: string) => void;
}

type InputOptions = Pick<ConnectOptions, 'capabilities' | 'onElicit' | 'onElicitUrl' | 'onSample' | 'roots'>;

/** Returns the options of a client that answer the requests of one server with the functions of the host. */
export function inputOptions(parts: InputParts): InputOptions {
  const { input, roots } = parts;
  const { onElicit, onSample } = input;
  return {
    ...(onElicit && {
      onElicit: (params, context) =>
        onElicit(params, {
          ...contextOf(parts, context),
          secretFields: secretFields(params.requestedSchema),
        }),
    }),
    ...(input.onElicitUrl && { onElicitUrl: (params, context) => visit(parts, params, context) }),
    ...(onSample && {
      capabilities: { samplingTools: true },
      onSample: (params, context) => sample(parts, params, contextOf(parts, context)),
    }),
    ...(roots && {
      roots: (context: InputRequestContext) => {
        const { origin } = originOf(parts, context);
        const request = { kind: 'roots', server: parts.server, name: 'roots', roots, origin } as const;
        return parts.perform(request, async () => roots, context.signal);
      },
    }),
  };
}

/** Returns the call that a request came with, and counts the request. */
function originOf(
  { user }: InputParts,
  { state }: InputRequestContext,
): { origin: Origin; tool: string | undefined } {
  const call = (state ?? {}) as Partial<CallState>;
  const { origin, tool } = call;
  if (call.rounds !== undefined) call.rounds++;
  return { origin: origin ?? { way: 'direct', ...(user !== undefined && { user }) }, tool };
}

function contextOf(parts: InputParts, context: InputRequestContext): InputContext {
  const { origin, tool } = originOf(parts, context);
  const { signal, server } = context;
  return { server: parts.server, info: server, user: origin.user, tool, signal };
}

/** Sends the user to a page, unless a server that is not trusted names this machine or a bare number. */
async function visit(
  parts: InputParts,
  params: ElicitUrlParams,
  context: InputRequestContext,
): Promise<{ readonly action: 'accept' | 'decline' | 'cancel' }> {
  const own = contextOf(parts, context);
  const address = readAddress(params.url);
  const refused = address.warnings.find(({ kind }) => kind === 'this-machine' || kind === 'ip-address');
  if (refused !== undefined && !parts.isTrusted) {
    const error = new Error(
      `${parts.server} sent the user to ${address.host}, which was refused. ${refused.text}`,
    );
    parts.onError(error, `elicitation of ${parts.server}`);
    return { action: 'decline' };
  }
  const answer = await parts.input.onElicitUrl?.(params, { ...own, address });
  return answer ?? { action: 'cancel' };
}

async function sample(
  { server, input, perform }: InputParts,
  params: Parameters<NonNullable<HostInput['onSample']>>[0],
  context: InputContext,
): ReturnType<NonNullable<HostInput['onSample']>> {
  const { onSample, reviewSampling } = input;
  const { user } = context;
  const origin: Origin = { way: 'sampling', ...(user !== undefined && { user }) };
  const request = { kind: 'sampling', server, name: 'sampling', params, origin } as const;
  const work = async () => {
    const reviewed = reviewSampling === undefined ? params : await reviewSampling.request(params, context);
    if (reviewed === false || onSample === undefined) throw rejected();
    const result = await onSample(reviewed, context);
    const shown = reviewSampling === undefined ? result : await reviewSampling.result(result, context);
    if (shown === false) throw rejected();
    return shown;
  };
  return perform(request, work, context.signal);
}

function rejected(): RpcError {
  return new RpcError(ErrorCode.userRejected, 'The user rejected the sampling request.');
}
