/**
 * The values that a name declares secret: `all` if even a number is a secret (a password), `text` if numbers and flags are not
 * (a count of tokens).
 */
export type Secrecy = 'all' | 'text';

const always: ReadonlySet<string> = new Set(
  'password passwd passphrase passcode pwd secret secrets credential credentials apikey authorization cookie cookies jwt'.split(
    ' ',
  ),
);
const pairs: ReadonlySet<string> = new Set(
  'api key|access key|account key|private key|signing key|encryption key|master key|session id|session key|auth key'.split(
    '|',
  ),
);
// Names that end with these words are about a secret and do not contain one: "token_type", "passwordPolicy".
const ordinaryEnds: ReadonlySet<string> = new Set(
  (
    'at budget count counts enabled endpoint endpoints expires expiration expiry field fields file hint in label ' +
    'length limit max method methods min name names path placeholder policy ratio required rotation servers size ' +
    'strategy supported ttl type types uri url usage valid'
  ).split(' '),
);
// Tokens that are not credentials.
const ordinaryTokens: ReadonlySet<string> = new Set(
  (
    'bos cached cancel cancellation completion continuation eos input max min next output pad page prev previous ' +
    'progress prompt reasoning stop sync total unk'
  ).split(' '),
);
// Every name of a secret contains one of these; other names are not examined further.
const hint = /pass|pwd|secret|credential|key|auth|cookie|jwt|token|session|sid|sessid/iu;
const compounds = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'apikey',
  'credentials',
  'sessionid',
  'sessid',
];
// A number under these names is a count or a number of a row.
const short: ReadonlySet<string> = new Set(['pass', 'sid']);

/** Returns the secrecy that the name of a member, header, parameter or environment variable declares; undefined for none. */
export function secrecyOf(name: string): Secrecy | undefined {
  if (!hint.test(name)) return undefined;
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || ordinaryEnds.has(last)) return undefined;
  for (const [index, word] of words.entries()) {
    const one = word === 'keys' || word === 'apikeys' ? word.slice(0, -1) : word;
    if (always.has(one) || pairs.has(`${words[index - 1]} ${one}`)) return 'all';
  }
  if (compounds.some((end) => last.endsWith(end))) return 'all';
  if (short.has(last)) return 'text';
  if (!last.endsWith('token') && last !== 'tokens') return undefined;
  const kind = last.startsWith('token') ? words.at(-2) : last.slice(0, -'token'.length);
  return kind !== undefined && ordinaryTokens.has(kind) ? undefined : 'text';
}

/** Returns the lower-case words of `camelCase`, `snake_case`, `kebab-case` and `UPPER_CASE`, without digits at their ends. */
function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 128)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}
