import { AuthError } from '@tenon/mcp-auth/client';
import { type AuthProvider, TransportError } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { sseTarget } from '@tenon/mcp-client/sse';
import type { UrlServer } from '../../connections/server-target.js';
import { type Examination, type Finding, failed, passed, warned } from '../examination.js';
import { Contact, type ContactSettings } from '../protocol/contact.js';
import { examineProtocol, introduction } from '../protocol/protocol-steps.js';
import { examineCors, examineRebinding } from './access-steps.js';
import { examineAddress } from './address-steps.js';
import { examineAuthorization } from './authorization-steps.js';
import { examineClock, examineHttp, type FirstAnswer } from './http-step.js';
import { examineTls } from './tls-step.js';
import { describeExchange, type TracedExchange, TracedSender } from './traced-sender.js';

/** Options of the diagnosis of a URL. */
interface UrlCase extends ContactSettings {
  /** Signs in where the server requires it. */
  readonly auth?: AuthProvider | undefined;
  /** An origin of pages in browsers, such as `https://app.example.com`: checks CORS for it. */
  readonly origin?: string | undefined;
}

/** Milliseconds that the user has to sign in. */
const signInTime = 300_000;

/** Runs all steps for a server with a URL. */
export async function examineUrl(
  examination: Examination,
  target: UrlServer,
  options: UrlCase,
): Promise<void> {
  const reached = await examineAddress(examination, target.url);
  const { protocol } = new URL(reached?.url ?? 'http://none');
  const needs = protocol === 'https:' ? ['tcp', 'tls'] : ['tcp'];
  if (protocol === 'https:')
    await examination.run({
      ...{ id: 'tls', title: 'TLS', needs: ['tcp'] },
      work: (signal) =>
        examineTls({ url: reached?.url as URL, address: reached?.addresses.all[0] ?? '' }, signal),
    });
  const { headers = {} } = target;
  const request = { url: reached?.url as URL, headers };
  const first = await examination.run({
    ...{ id: 'http', title: 'HTTP', needs },
    work: (signal) => examineHttp(request, signal),
  });
  if (first !== undefined && reached !== undefined) {
    await examination.run({ id: 'clock', title: 'Clock', work: () => examineClock(first, Date.now()) });
    if (reached.addresses.isLocal)
      await examination.run({
        ...{ id: 'rebinding', title: 'DNS rebinding' },
        work: (signal) => examineRebinding(request, first, signal),
      });
    const { origin } = options;
    if (origin !== undefined)
      await examination.run({
        ...{ id: 'cors', title: 'CORS' },
        work: (signal) => examineCors(request, origin, signal),
      });
    await examineAuthorization(examination, { url: reached.url, first });
  }
  await examineSession(examination, target, { ...options, first });
}

interface SessionCase extends UrlCase {
  readonly first: FirstAnswer | undefined;
}

async function examineSession(
  examination: Examination,
  target: UrlServer,
  options: SessionCase,
): Promise<void> {
  const trace = new TracedSender();
  const contact = new Contact(() => dialerOf(target, options, trace), options);
  try {
    await examineContact(examination, contact, { ...options, target, trace });
  } finally {
    await contact.close();
  }
}

interface ContactCase extends SessionCase {
  readonly target: UrlServer;
  readonly trace: TracedSender;
}

/** Runs the steps that need a connection. */
async function examineContact(
  examination: Examination,
  contact: Contact,
  { target, trace, ...options }: ContactCase,
): Promise<void> {
  const { first } = options;
  if (first?.isDenied === true)
    await examination.run({
      ...{ id: 'sign-in', title: 'Sign-in', timeout: signInTime },
      work: () => signIn(contact, target, options),
    });
  await examination.run({
    ...{ id: 'revision', title: 'Revision', needs: ['http', 'sign-in'] },
    work: () => examineRevision(contact, trace),
  });
  await examineProtocol(examination, contact);
  await examination.run({
    ...{ id: 'session', title: 'Session', needs: ['revision'] },
    work: () => examineEnd(contact, trace),
  });
}

function dialerOf(
  { url, headers, transport }: UrlServer,
  { auth, first }: SessionCase,
  { open: sender }: TracedSender,
) {
  const settings = { auth, sender, ...(headers !== undefined && { headers }) };
  return transport === 'sse' || first?.mayBeSse === true
    ? sseTarget(url, settings)
    : httpTarget(url, settings);
}

/** Connects, with the tokens or the browser of the user. */
async function signIn(contact: Contact, target: UrlServer, { auth }: SessionCase): Promise<Finding> {
  const { origin, pathname } = new URL(target.url);
  const isGiven = Object.keys(target.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
  if (isGiven)
    return failed('authorization', 'the server rejects the token in the header authorization', {
      fix: 'Check that the token has not expired, is for this server (audience), and has the scopes of the challenge.',
    });
  const fix = `Sign in with "tenon login ${origin}${pathname}", or let doctor open the browser: --sign-in.`;
  if (auth === undefined)
    return failed('authorization', 'the server requires sign-in, and no token was sent', { fix });
  try {
    await contact.client();
  } catch (error) {
    const isRejected = error instanceof TransportError && (error.status === 401 || error.status === 403);
    if (error instanceof AuthError)
      return failed('authorization', error.message, error.reason === 'sign-in-needed' ? { fix } : {});
    if (isRejected)
      return failed('authorization', `the server rejects the new token: ${error.message}`, {
        fix: 'The server must accept tokens of its authorization server for its own URL (audience): compare both settings.',
      });
    // The next step reports other errors.
    return passed('a token was obtained');
  }
  return passed('the server accepts the token');
}

async function examineRevision(contact: Contact, { exchanges }: TracedSender): Promise<Finding> {
  const details = () => exchanges.filter(({ rpc }) => rpc !== undefined).map(describeExchange);
  try {
    const client = await contact.client();
    const transport = isSse(exchanges) ? 'HTTP+SSE' : 'Streamable HTTP';
    return passed(`${introduction(client)}, over ${transport}`, { details: details() });
  } catch (error) {
    if (details().length === 0) throw error;
    return failed('unreachable', error instanceof Error ? error.message : String(error), {
      details: details(),
      fix: 'The server answers, and not with server/discover or initialize of the protocol. "tenon compat" tries each revision.',
    });
  }
}

/** The transport of the first revision posts to another URL than that of its event stream. */
function isSse(exchanges: TracedSender['exchanges']): boolean {
  const stream = exchanges.find(({ method, status }) => method === 'GET' && status === 200);
  return (
    stream !== undefined && exchanges.some(({ method, path }) => method === 'POST' && path !== stream.path)
  );
}

/** Ends the session, and checks that its id was kept. */
async function examineEnd(contact: Contact, trace: TracedSender): Promise<Finding> {
  const { exchanges } = trace;
  const id = exchanges.find(({ receivedSession }) => receivedSession !== undefined)?.receivedSession;
  await contact.close();
  if (id === undefined) return passed('none: each request stands alone');
  const lost = exchanges.find(({ sentSession, status }) => sentSession === id && status === 404);
  const stream = exchanges.find(({ method, rpc }) => method === 'GET' && rpc === undefined);
  const ended = exchanges.find(({ method }) => method === 'DELETE');
  const details = [stream, ended].filter((one) => one !== undefined).map(describeExchange);
  if (lost !== undefined)
    return warned(`the server forgot the session: ${describeExchange(lost)}`, {
      details,
      fix: 'Several processes without shared state, or a restart: send all requests of a session to one process, or share the state.',
    });
  if (stream?.status !== undefined && stream.status >= 400 && stream.status !== 405)
    return warned(`the event stream (GET) is answered with HTTP ${stream.status}`, {
      details,
      fix: 'Answer GET with text/event-stream, or with 405 if the server has no stream.',
    });
  return passed(`id of ${id.length} characters, ${endOf(ended)}`, { details });
}

function endOf(ended: TracedExchange | undefined): string {
  if (ended?.status === undefined) return 'not ended';
  return ended.status < 400 ? 'ended by DELETE' : `kept: DELETE has HTTP ${ended.status}`;
}
