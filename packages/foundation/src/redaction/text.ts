import { redactAssigned } from './assigned.js';
import { redactLogins } from './logins.js';
import { redactElements, redactPairs } from './pairs.js';
import { looksRandom, redacted, webTokenIn } from './secret-values.js';
import { blanks, wordStart } from './words.js';

// Each expression starts at a word, and takes time in proportion to the text.
const dottedWord = new RegExp(String.raw`${wordStart}([\w-]{10,})((?:\.[\w-]*){2,4})`, 'g');
const bearer = new RegExp(String.raw`${wordStart}(bearer${blanks})([\w\-.+/=~]+)`, 'gi');

/**
 * Returns a text without bearer tokens, JSON Web Tokens, user information of URLs and of `curl`, and values after a name such as
 * `password`. Takes time in proportion to the text.
 */
export function redactText(text: string): string {
  const clean = (text.includes('eyJ') ? text.replace(dottedWord, withoutWebToken) : text).replace(
    bearer,
    (all: string, scheme: string, value: string) => (looksRandom(value) ? scheme + redacted : all),
  );
  return redactElements(redactPairs(redactAssigned(redactLogins(clean))));
}

function withoutWebToken(all: string, word: string): string {
  const from = webTokenIn(word);
  return from < 0 ? all : word.slice(0, from) + redacted;
}
