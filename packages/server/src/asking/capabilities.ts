import { type ClientCapabilities, type InputRequest, type Revision, SessionError } from '@tenon/mcp-protocol';
import { MissingCapabilityError } from '@tenon/mcp-session';
import type { CallPort } from '../context-ports.js';

/** A kind of question; each needs a capability of its own. */
export type Asking = 'elicit' | 'elicit-url' | 'sample' | 'sample-tools' | 'roots';

interface Need {
  readonly what: string;
  /** What the client would have to declare. */
  readonly required: ClientCapabilities;
  inRevision(revision: Revision): boolean;
  declared(by: ClientCapabilities, revision: Revision): boolean;
}

const needs: Readonly<Record<Asking, Need>> = {
  elicit: {
    what: 'elicitation by form',
    required: { elicitation: { form: {} } },
    inRevision: ({ rules }) => rules.asks.elicit,
    // No mode at all means forms: it is what clients said before there were modes.
    declared: ({ elicitation }, { rules }) =>
      elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined || !rules.asks.url),
  },
  'elicit-url': {
    what: 'elicitation by URL',
    required: { elicitation: { url: {} } },
    inRevision: ({ rules }) => rules.asks.elicit && rules.asks.url,
    declared: ({ elicitation }) => elicitation?.url !== undefined,
  },
  sample: {
    what: 'sampling',
    required: { sampling: {} },
    inRevision: ({ asks }) => asks.has('sampling/createMessage'),
    declared: ({ sampling }) => sampling !== undefined,
  },
  'sample-tools': {
    what: 'sampling with tools',
    required: { sampling: { tools: {} } },
    inRevision: ({ rules }) => rules.asks.samplingTools,
    declared: ({ sampling }) => sampling?.tools !== undefined,
  },
  roots: {
    what: 'roots',
    required: { roots: {} },
    inRevision: ({ asks }) => asks.has('roots/list'),
    declared: ({ roots }) => roots !== undefined,
  },
};

/** Why the client of a call cannot answer such an input request now; undefined when it can. */
export function obstacle(request: CallPort, what: Asking): SessionError | undefined {
  const { revision, host } = request;
  const missing = missingCapability(request, what);
  if (missing?.inRevision === false) return missing.error;
  if (revision.rules.serverAsks === 'request') {
    const { facts } = request.exchange;
    if (host.conversation === undefined || facts.answersOnly)
      return unavailable('there is no session to ask in, or it carries answers only.');
  } else if (revision.requests.client.get(request.method)?.mayAsk !== true) {
    return unavailable(`${request.method} cannot end with a question.`);
  }
  return missing?.error;
}

interface Missing {
  readonly inRevision: boolean;
  readonly error: MissingCapabilityError;
}

/** The capability that the client of a call lacks for an input request, in whichever way that is delivered. */
export function missingCapability(
  { revision, from }: Pick<CallPort, 'revision' | 'from'>,
  what: Asking,
): Missing | undefined {
  const need = Object.hasOwn(needs, what) ? needs[what] : undefined;
  if (need === undefined) {
    const known = Object.keys(needs).join(', ');
    throw new TypeError(`There is no question of the kind ${JSON.stringify(what)}: there are ${known}.`);
  }
  const lacking = `This needs a client that declares ${need.what}`;
  if (!need.inRevision(revision)) {
    const message = `${lacking}, which ${revision.id} does not have.`;
    return { inRevision: false, error: new MissingCapabilityError(need.required, message) };
  }
  if (need.declared(from.clientCapabilities, revision)) return undefined;
  return { inRevision: true, error: new MissingCapabilityError(need.required, `${lacking}.`) };
}

/** Which kind of question a request is. */
export function kindOf(request: InputRequest): Asking {
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
