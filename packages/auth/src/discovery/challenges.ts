import { isScope } from '@tenon/mcp-protocol/internal';
import { displayText, oauthCode } from '../http/document-text.js';
import { maxScopes } from './scopes.js';

/** One challenge of `WWW-Authenticate`. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** By name in lower case; the first if a name occurs more than once. */
  readonly params: ReadonlyMap<string, string>;
  /** The token68 that replaces the parameters in some schemes. */
  readonly token68: string | undefined;
}

/** The challenge of a server that rejects a token, or a request without one. */
export interface BearerChallenge {
  readonly resourceMetadata: string | undefined;
  /** Scopes that the request requires. */
  readonly scopes: readonly string[] | undefined;
  readonly error: string | undefined;
  /** Without secrets and control characters. */
  readonly errorDescription: string | undefined;
  /** True if one of the challenges has the scheme DPoP. */
  readonly dpop: boolean;
}

// Bounds of what is read; real servers stay far below them.
const mostCharacters = 16_384;
const mostChallenges = 32;
const mostParams = 64;

/**
 * Parses the challenges in the values of `WWW-Authenticate`, in order. Skips unreadable parts.
 * https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export function parseChallenges(values: readonly string[]): readonly Challenge[] {
  const challenges: Challenge[] = [];
  let characters = 0;
  for (const value of values) {
    characters += value.length;
    if (characters > mostCharacters) break;
    const reader = new ChallengeReader(value);
    for (;;) {
      const challenge = challenges.length < mostChallenges ? reader.next() : undefined;
      if (challenge === undefined) break;
      challenges.push(challenge);
    }
  }
  return challenges;
}

/** Parses one value from start to end; reads no character more than twice. */
class ChallengeReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Challenge | undefined {
    for (;;) {
      this.#take(separators);
      if (this.#at >= this.#text.length) return undefined;
      const scheme = this.#take(token);
      const isScheme = scheme !== undefined && this.#take(endOfScheme) !== undefined;
      if (isScheme) return { scheme: scheme.toLowerCase(), ...this.#rest() };
      // Neither a scheme nor a parameter: skip it, a quoted string as a whole.
      if (this.#take(garbage) === undefined) this.#at++;
    }
  }

  #rest(): Pick<Challenge, 'params' | 'token68'> {
    const params = new Map<string, string>();
    const token68 = this.#take(wholeToken68)?.trim();
    while (token68 === undefined) {
      this.#take(separators);
      const start = this.#at;
      const name = this.#take(token)?.toLowerCase();
      if (name === undefined || this.#take(equals) === undefined) {
        // The scheme of the next challenge, or unreadable text.
        this.#at = start;
        break;
      }
      const value = this.#value();
      if (value === undefined) this.#take(garbage);
      else if (!params.has(name) && params.size < mostParams) params.set(name, value);
    }
    return { params, token68 };
  }

  #value(): string | undefined {
    const quoted = this.#take(quotedString);
    if (quoted !== undefined) return quoted.slice(1, -1).replace(/\\(.)/gs, '$1');
    return this.#take(bare)?.replace(/^'(.*)'$/s, '$1');
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

// None of these can match a text in two ways, so they run in linear time.
const separators = /[ \t\r\n,]*/y;
const token = /[\w!#$%&'*+.^`|~-]+/y;
const equals = /[ \t]*=[ \t]*/y;
// Some servers do not quote URLs, or put them in single quotes.
const bare = /[^\s",]+/y;
const quotedString = /"(?:[^"\\]|\\.)*"/sy;
const endOfScheme = /(?=$|,)|[ \t]+(?![ \t=])/y;
const wholeToken68 = /[\w.~+/-]+=*[ \t]*(?=$|,)/y;
const garbage = /"(?:[^"\\]|\\.)*"?|[^",]+/sy;

/**
 * Combines the challenges of the schemes Bearer and DPoP; undefined if there is none.
 * https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @param sent - the scheme of the rejected token: error and scopes are read from its challenge if there are two.
 */
export function bearerChallenge(
  values: readonly string[],
  sent: 'Bearer' | 'DPoP' = 'Bearer',
): BearerChallenge | undefined {
  const challenges = parseChallenges(values).filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop');
  const own = challenges.filter(({ scheme }) => scheme === sent.toLowerCase());
  const others = challenges.filter((one) => !own.includes(one));
  const preferred = [...own, ...others];
  // Error and scopes must come from the same challenge.
  const telling = preferred.find(({ params }) => params.has('error') || params.has('scope')) ?? preferred[0];
  if (telling === undefined) return undefined;
  const { params } = telling;
  const located = preferred.find((one) => one.params.has('resource_metadata'));
  return {
    resourceMetadata: located?.params.get('resource_metadata'),
    scopes: scopesOf(params.get('scope')),
    error: oauthCode(params.get('error')),
    errorDescription: displayText(params.get('error_description')),
    dpop: challenges.some(({ scheme }) => scheme === 'dpop'),
  };
}

function scopesOf(text = ''): readonly string[] | undefined {
  const scopes = new Set(text.split(' ').filter(isScope));
  return scopes.size === 0 ? undefined : [...scopes].slice(0, maxScopes);
}
