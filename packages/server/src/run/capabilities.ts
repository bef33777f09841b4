import { type ClientCapabilities, type InputRequest, type Revision, SessionError } from '@tenon/mcp-protocol';
import { MissingCapabilityError } from '@tenon/mcp-session';
import type { CallPort } from '../core/call-port.js';

/** A type of input request; each needs its own capability. */
export type InputType = 'elicit' | 'elicit-url' | 'sample' | 'sample-tools' | 'roots';

interface Need {
  readonly what: string;
  /** The capability that the client would have to declare. */
  readonly required: ClientCapabilities;
  inRevision(revision: Revision): boolean;
  declared(by: ClientCapabilities, revision: Revision): boolean;
}

const needs: Readonly<Record<InputType, Need>> = {
  elicit: {
    what: 'elicitation by form',
    required: { elicitation: { form: {} } },
    inRevision: ({ rules }) => rules.inputFeatures.elicit,
    // No mode means forms: clients declared it so before there were modes.
    declared: ({ elicitation }, { rules }) =>
      elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined || !rules.inputFeatures.url),
  },
  'elicit-url': {
    what: 'elicitation by URL',
    required: { elicitation: { url: {} } },
    inRevision: ({ rules }) => rules.inputFeatures.elicit && rules.inputFeatures.url,
    declared: ({ elicitation }) => elicitation?.url !== undefined,
  },
  sample: {
    what: 'sampling',
    required: { sampling: {} },
    inRevision: ({ inputRequests }) => inputRequests.has('sampling/createMessage'),
    declared: ({ sampling }) => sampling !== undefined,
  },
  'sample-tools': {
    what: 'sampling with tools',
    required: { sampling: { tools: {} } },
    inRevision: ({ rules }) => rules.inputFeatures.samplingTools,
    declared: ({ sampling }) => sampling?.tools !== undefined,
  },
  roots: {
    what: 'roots',
    required: { roots: {} },
    inRevision: ({ inputRequests }) => inputRequests.has('roots/list'),
    declared: ({ roots }) => roots !== undefined,
  },
};

/** Returns the reason why the client of a call cannot answer this input request now; undefined if it can. */
export function obstacle(request: CallPort, what: InputType): SessionError | undefined {
  const { revision, host } = request;
  const missing = missingCapability(request, what);
  if (missing?.inRevision === false) return missing.error;
  if (revision.rules.inputRequestMode === 'request') {
    const { facts } = request.exchange;
    if (host.conversation === undefined || facts.answersOnly)
      return unavailable('there is no session to ask in, or it carries answers only.');
  } else if (revision.requests.client.get(request.method)?.mayRequestInput !== true) {
    return unavailable(`${request.method} cannot end with an input request.`);
  }
  return missing?.error;
}

interface Missing {
  readonly inRevision: boolean;
  readonly error: MissingCapabilityError;
}

/** Returns the capability that the client of a call lacks for an input request, however it is delivered. */
export function missingCapability(
  { revision, from }: Pick<CallPort, 'revision' | 'from'>,
  what: InputType,
): Missing | undefined {
  const need = Object.hasOwn(needs, what) ? needs[what] : undefined;
  if (need === undefined) {
    const known = Object.keys(needs).join(', ');
    throw new TypeError(`Unknown kind of input request ${JSON.stringify(what)}: use one of ${known}.`);
  }
  const lacking = `This needs a client that declares ${need.what}`;
  if (!need.inRevision(revision)) {
    const message = `${lacking}, which ${revision.id} does not have.`;
    return { inRevision: false, error: new MissingCapabilityError(need.required, message) };
  }
  if (need.declared(from.clientCapabilities, revision)) return undefined;
  return { inRevision: true, error: new MissingCapabilityError(need.required, `${lacking}.`) };
}

/** Returns the type of an input request. */
export function inputTypeOf(request: InputRequest): InputType {
  switch (request.method) {
    case 'elicitation/create':
      return request.params.mode === 'url' ? 'elicit-url' : 'elicit';
    case 'sampling/createMessage':
      return request.params.tools === undefined && request.params.toolChoice === undefined
        ? 'sample'
        : 'sample-tools';
    default:
      return 'roots';
  }
}

function unavailable(why: string): SessionError {
  return new SessionError('not-in-revision', `The client cannot be asked: ${why}`);
}
