import { isIP } from 'node:net';
import { checkServerIdentity, connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { onAbort } from '@tenon/foundation';
import { environmentProxy } from '@tenon/mcp-protocol/internal';
import { openTunnel } from '../../connections/send-request.js';
import { type Finding, failed, passed, warned } from '../examination.js';
import { codeOf } from './address-steps.js';

/** The server of a TLS handshake. */
interface TlsPeer {
  readonly url: URL;
  readonly address: string;
}

/** The result of a handshake that accepts every certificate. */
interface Handshake {
  readonly certificate: DetailedPeerCertificate;
  /** The code of the problem of the certificate. */
  readonly problem: string | undefined;
  readonly protocol: string | null;
}

const soon = 14 * 86_400_000;

/** Checks the certificate of a server: chain, name and dates. */
export async function examineTls(peer: TlsPeer, signal: AbortSignal): Promise<Finding> {
  let handshake: Handshake;
  try {
    handshake = await shakeHands(peer, signal);
  } catch (error) {
    signal.throwIfAborted();
    return noTls(peer.url, error);
  }
  const { certificate, problem, protocol } = handshake;
  const until = new Date(certificate.valid_to);
  const details = [
    `subject ${certificate.subject?.CN ?? '(none)'}, names ${certificate.subjectaltname ?? '(none)'}`,
    `issuer ${certificate.issuer?.O ?? certificate.issuer?.CN ?? '(none)'}`,
    `valid from ${dateOf(certificate.valid_from)} to ${dateOf(certificate.valid_to)}`,
  ];
  if (problem !== undefined)
    return failed('unreachable', summaryOf(problem, peer.url), { details, fix: fixOf(problem, peer.url) });
  const left = until.getTime() - Date.now();
  if (left < soon)
    return warned(
      `${protocol}, but the certificate ends in ${Math.max(0, Math.floor(left / 86_400_000))} days`,
      {
        details,
        fix: 'Renew the certificate.',
      },
    );
  return passed(`${protocol}, certificate valid until ${dateOf(certificate.valid_to)}`);
}

async function shakeHands({ url, address }: TlsPeer, signal: AbortSignal): Promise<Handshake> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const proxy = environmentProxy(url);
  const tunnel = proxy && (await openTunnel(url, proxy, signal));
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({
      ...(tunnel === undefined ? { host: address, port: Number(url.port || 443) } : { socket: tunnel }),
      ...{ rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] },
      ...(isIP(host) === 0 && { servername: host }),
      checkServerIdentity: () => undefined,
    });
    const release = onAbort(signal, () => socket.destroy(new Error('The step has ended.')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate(true);
      const { authorizationError } = socket;
      const problem = authorizationError ? codeOf(authorizationError) : nameProblem(host, certificate);
      resolve({ certificate, problem, protocol: socket.getProtocol() });
      socket.destroy();
    });
    socket.once('close', release);
  });
}

const wrongName = 'ERR_TLS_CERT_ALTNAME_INVALID';

function nameProblem(host: string, certificate: DetailedPeerCertificate): string | undefined {
  return checkServerIdentity(host, certificate) === undefined ? undefined : wrongName;
}

const summaries: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the chain ends at an authority that this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the server sends its certificate without those of the authorities between',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
};

function summaryOf(problem: string, { hostname }: URL): string {
  if (problem === wrongName) return `the certificate is not for ${hostname}`;
  return `${summaries[problem] ?? 'the certificate is not accepted'} (${problem})`;
}

function fixOf(problem: string, { hostname }: URL): string {
  switch (problem) {
    case wrongName:
      return `Use a name of the certificate in the URL, or get a certificate for ${hostname}.`;
    case 'CERT_HAS_EXPIRED':
      return 'Renew the certificate. If it was renewed, restart the server or the proxy so that it loads the new one.';
    case 'CERT_NOT_YET_VALID':
      return 'Check the clocks of this machine and of the server.';
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'Have the server send the full chain. Until then: NODE_EXTRA_CA_CERTS=/path/to/intermediate.pem tenon ...';
    default:
      return 'Trust its authority in this process: NODE_EXTRA_CA_CERTS=/path/to/ca.pem tenon ... (set it before Node starts). MCP clients that run on Node need the same variable.';
  }
}

function noTls({ protocol, port }: URL, error: unknown): Finding<never> {
  const code = codeOf(error);
  const isPlain = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|ECONNRESET/.test(code);
  return failed('unreachable', `the TLS handshake failed (${code})`, {
    fix: isPlain
      ? `The port may not speak TLS: try http://, or the port of the TLS proxy instead of ${port || protocol}.`
      : 'Check which versions of TLS and which certificate the server is set up with.',
  });
}

function dateOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString().slice(0, 10);
}
