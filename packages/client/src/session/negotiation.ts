import { type Clock, withinTime } from '@tenon/foundation';
import {
  type ClientCapabilities,
  type DiscoverResult,
  type Implementation,
  type InitializeResult,
  MetaKey,
  RemoteError,
  type Revision,
  SessionError,
  TransportError,
} from '@tenon/mcp-protocol';
import type { Endpoint, RelatedRequestOptions } from '@tenon/mcp-session';
import { introductionProblem, noCommon } from '@tenon/mcp-session/internal';
import { ConnectTimeout } from './connect-timeout.js';
import { brokenServer, meansOlderTransport, readHttpProbe } from './http-probe.js';
import { type ProbeOutcome, readProbe } from './probe.js';
import type { Session } from './session.js';

export interface Negotiation {
  /** Supported revisions, newest first. */
  readonly revisions: readonly Revision[];
  /** The only revision, if the application or an earlier connection set it. */
  readonly settled: Revision | undefined;
  /** Milliseconds for the handshake, if the application set them. */
  readonly connectTimeout: number | undefined;
  /** Milliseconds for any request. */
  readonly requestTimeout: number;
  readonly clock: Clock;
  readonly info: Implementation;
  /** Returns the declared capabilities in a revision. */
  readonly capabilities: (revision: Revision) => ClientCapabilities;
  /** True if a server that dies on a probe may be dialled again. */
  readonly restartable: boolean;
  /** Opens and starts a new connection. */
  dial(): Promise<Endpoint>;
  /** Opens a connection over the older transport; undefined if there is none, or if `dial` does that. */
  readonly dialOlder?: (() => Promise<Endpoint>) | undefined;
}

/** Milliseconds for the answer to a probe where silence means an older server, unless half of `connectTimeout` is less. */
const probeTimeout = 5_000;

/**
 * Opens a connection and negotiates its revision: the newest that both ends support, preferring those without a handshake.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @throws SessionError `no-common-revision` with the revisions of both ends, `timeout` with the output of a server that does not
 * answer; RemoteError if the server rejects.
 */
export async function negotiate(negotiation: Negotiation): Promise<Session> {
  const { clock, dial, dialOlder, requestTimeout } = negotiation;
  const timeout = new ConnectTimeout(clock, negotiation.connectTimeout ?? probeTimeout + requestTimeout);
  const reached = reach({
    ...negotiation,
    dial: async () => timeout.watch(await dial()),
    dialOlder: dialOlder && (async () => timeout.watch(await dialOlder())),
  });
  try {
    return await Promise.race([timeout.expired, reached]);
  } finally {
    timeout.stop();
  }
}

async function reach(negotiation: Negotiation): Promise<Session> {
  const { settled, revisions } = negotiation;
  const endpoint = await negotiation.dial();
  try {
    if (settled !== undefined) return await speak(negotiation, endpoint, settled);
    const spoken = endpoint.supported;
    const [newest] = spoken.filter((one) => one.lifecycle === 'stateless');
    if (newest !== undefined) return await probe(negotiation, endpoint, newest);
    return await speak(negotiation, endpoint, spoken[0] ?? (revisions[0] as Revision));
  } catch (error) {
    endpoint.close().catch(() => undefined);
    throw error;
  }
}

async function speak(negotiation: Negotiation, endpoint: Endpoint, revision: Revision): Promise<Session> {
  if (revision.lifecycle === 'handshake') return initialize(negotiation, endpoint, revision);
  endpoint.settle(revision);
  const result = await endpoint.request('server/discover', {}, handshakeTime(negotiation, endpoint));
  if (!result.supportedVersions.includes(revision.id)) {
    throw new SessionError('no-common-revision', noCommon(result.supportedVersions, [revision]));
  }
  return described(endpoint, revision, result);
}

async function probe(negotiation: Negotiation, endpoint: Endpoint, newest: Revision): Promise<Session> {
  const ours = negotiation.revisions;
  const probed: Revision[] = [];
  const byHttp = endpoint.connection.carriesHeaders === true;
  for (let revision = newest; ; ) {
    probed.push(revision);
    endpoint.settle(revision);
    const answer = byHttp ? discoverByHttp(endpoint, negotiation) : discover(endpoint);
    const outcome = byHttp ? await answer : await answerOrSilence(answer, negotiation);
    const verdict = (byHttp ? readHttpProbe : readProbe)(outcome, { ours, probed });
    if (verdict.step === 'fail') throw verdict.error;
    if (verdict.step === 'use') {
      endpoint.settle(verdict.revision);
      return described(endpoint, verdict.revision, verdict.result);
    }
    if (verdict.step === 'initialize') {
      const { doubt } = verdict;
      if (doubt !== undefined)
        return initializeInDoubt(negotiation, endpoint, { revision: verdict.revision, doubt });
      const next = { negotiation, endpoint, revision: verdict.revision };
      if (outcome.kind === 'silent') return initializeMeanwhile(answer, next);
      if (!verdict.restart) return initialize(negotiation, endpoint, verdict.revision);
      if (!negotiation.restartable) throw (outcome as { error?: unknown }).error;
      return redialled(negotiation, verdict.revision);
    }
    revision = verdict.revision;
  }
}

// Without a time limit of the request: an expired request is cancelled, which handshake servers need not expect yet.
function discover(endpoint: Endpoint): Promise<ProbeOutcome> {
  const never = Number.POSITIVE_INFINITY;
  return outcomeOf(
    endpoint.request('server/discover', {}, { timeout: never, total: never, background: true }),
  );
}

// Over HTTP an abandoned exchange has ended: it cannot disturb later ones.
function discoverByHttp(endpoint: Endpoint, negotiation: Negotiation): Promise<ProbeOutcome> {
  return outcomeOf(endpoint.request('server/discover', {}, handshakeTime(negotiation, endpoint)));
}

function outcomeOf(answer: Promise<DiscoverResult>): Promise<ProbeOutcome> {
  return answer.then(
    (result): ProbeOutcome => ({ kind: 'described', result }),
    (error: unknown): ProbeOutcome => ({ kind: 'failed', error }),
  );
}

function answerOrSilence(
  answer: Promise<ProbeOutcome>,
  { clock, connectTimeout = Number.POSITIVE_INFINITY }: Negotiation,
): Promise<ProbeOutcome> {
  const ms = Math.min(probeTimeout, connectTimeout / 2);
  return withinTime(answer, { clock, ms, holds: true }, (): ProbeOutcome => ({ kind: 'silent' }));
}

/**
 * Initializes a server that has not answered the probe in time. One that is slow to start reads both requests: if it
 * describes itself before it answers `initialize`, or after it refused that, its description counts.
 */
async function initializeMeanwhile(
  answer: Promise<ProbeOutcome>,
  next: { negotiation: Negotiation; endpoint: Endpoint; revision: Revision },
): Promise<Session> {
  const { negotiation, endpoint, revision } = next;
  const unwanted = new AbortController();
  const { signal } = unwanted;
  const initialized = requestInitialize(negotiation, endpoint, { revision, signal });
  const over = initialized.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([answer, over]);
  // Both answers may have arrived at once: then the handshake is not completed.
  const early = lateSession(await Promise.race([answer, undefined]), next);
  if (early !== undefined) {
    unwanted.abort();
    return early;
  }
  let result: InitializeResult;
  try {
    result = await initialized;
  } catch (error) {
    const late = error instanceof RemoteError ? await answerOrSilence(answer, negotiation) : undefined;
    const session = lateSession(late, next);
    if (session === undefined) throw error;
    return session;
  }
  return completeHandshake(negotiation, endpoint, result);
}

/** Returns the session with a server that answered the probe late, as a stateless server. */
function lateSession(
  outcome: ProbeOutcome | undefined,
  { negotiation, endpoint }: { negotiation: Negotiation; endpoint: Endpoint },
): Session | undefined {
  if (outcome?.kind !== 'described' || endpoint.state !== 'open') return undefined;
  const verdict = readProbe(outcome, { ours: negotiation.revisions, probed: [] });
  if (verdict.step !== 'use') return undefined;
  endpoint.settle(verdict.revision);
  return described(endpoint, verdict.revision, verdict.result);
}

/** Initializes a server after an unclear answer to the probe; if that fails, the first error counts. */
async function initializeInDoubt(
  negotiation: Negotiation,
  endpoint: Endpoint,
  { revision, doubt }: { revision: Revision; doubt: RemoteError },
): Promise<Session> {
  let session: Session;
  try {
    session = await initialize({ ...negotiation, dialOlder: undefined }, endpoint, revision);
  } catch (error) {
    // The user had to sign in there: that error counts.
    if (error instanceof TransportError && error.permanent) throw error;
    throw brokenServer(doubt, error);
  }
  endpoint.allowed({ leniency: 'probe-error-500' }, 'server/discover');
  return { ...session, inDoubt: true };
}

async function redialled(negotiation: Negotiation, revision: Revision): Promise<Session> {
  const endpoint = await negotiation.dial();
  try {
    return await initialize(negotiation, endpoint, revision);
  } catch (error) {
    endpoint.close().catch(() => undefined);
    throw error;
  }
}

async function initialize(
  negotiation: Negotiation,
  endpoint: Endpoint,
  revision: Revision,
): Promise<Session> {
  let result: InitializeResult;
  try {
    result = await requestInitialize(negotiation, endpoint, { revision });
  } catch (error) {
    const { dialOlder } = negotiation;
    if (dialOlder === undefined || !meansOlderTransport(error)) throw error;
    endpoint.close().catch(() => undefined);
    return byOlderTransport({ ...negotiation, dialOlder: undefined, dial: dialOlder }, revision, error);
  }
  return completeHandshake(negotiation, endpoint, result);
}

/** The time of a request of the handshake: over HTTP its own, elsewhere that of the whole handshake. */
function handshakeTime({ connectTimeout }: Negotiation, { connection }: Endpoint): RelatedRequestOptions {
  const never = Number.POSITIVE_INFINITY;
  if (connection.carriesHeaders !== true) return { timeout: never, total: never };
  const timeoutOption = 'connectTimeout';
  return connectTimeout === undefined ? { timeoutOption } : { timeout: connectTimeout, timeoutOption };
}

function requestInitialize(
  negotiation: Negotiation,
  endpoint: Endpoint,
  { revision, signal }: { revision: Revision; signal?: AbortSignal },
): Promise<InitializeResult> {
  const { info, capabilities } = negotiation;
  endpoint.settle(revision);
  const params = { protocolVersion: revision.id, capabilities: capabilities(revision), clientInfo: info };
  const time = handshakeTime(negotiation, endpoint);
  return endpoint.request('initialize', params, signal === undefined ? time : { ...time, signal });
}

async function completeHandshake(
  { revisions }: Negotiation,
  endpoint: Endpoint,
  result: InitializeResult,
): Promise<Session> {
  const ours = revisions.filter((one) => one.lifecycle === 'handshake');
  const answered = ours.find((one) => one.id === result.protocolVersion);
  if (answered === undefined) {
    throw new SessionError('no-common-revision', noCommon([result.protocolVersion], ours));
  }
  const { capabilities: offered, serverInfo: server, instructions } = result;
  requireShort(endpoint, { capabilities: offered, server, instructions });
  endpoint.settle(answered);
  await endpoint.notify('notifications/initialized', {});
  return { endpoint, revision: answered, capabilities: offered, server, instructions };
}

/** Initializes over the older transport; if that fails too, the first rejection counts. */
async function byOlderTransport(
  negotiation: Negotiation,
  revision: Revision,
  refusal: unknown,
): Promise<Session> {
  try {
    return await redialled(negotiation, revision);
  } catch (error) {
    // The user had to sign in there: that error counts.
    if (error instanceof TransportError && error.permanent) throw error;
    if (!(refusal instanceof TransportError) || !(error instanceof Error)) throw refusal;
    const message = `${refusal.message} The older transport (HTTP+SSE) did not work either: ${error.message}`;
    throw new TransportError(message, {
      ...(refusal.status !== undefined && { status: refusal.status }),
      cause: error,
    });
  }
}

function described(endpoint: Endpoint, revision: Revision, result: DiscoverResult): Session {
  const { capabilities, instructions } = result;
  const server = result._meta?.[MetaKey.serverInfo] as Implementation | undefined;
  requireShort(endpoint, { capabilities, server, instructions });
  return { endpoint, revision, capabilities, server, instructions, description: result };
}

/** @throws SessionError `limit` if the server info is too large. */
function requireShort(endpoint: Endpoint, said: object): void {
  const problem = introductionProblem(said, endpoint.limits.introduction);
  if (problem === undefined) return;
  throw new SessionError('limit', `The server introduces itself at too great a length. ${problem}`);
}
