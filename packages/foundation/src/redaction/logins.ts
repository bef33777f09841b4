import { closingQuote, quote, redacted, replaceSpans, stepOver, wordStart } from './words.js';

/** Returns a text without the user names and passwords of URLs, and of `curl -u`. */
export function redactLogins(text: string): string {
  const clean = text.includes('://') ? redactUrls(text) : text;
  return clean.includes('curl') ? redactCurl(clean) : clean;
}

const beforeUrl = /[a-z+]{1,32}$/i;

function redactUrls(text: string): string {
  let clean = '';
  let done = 0;
  for (let mark = text.indexOf('://'); mark >= 0; ) {
    const from = mark + 3;
    const next = text.indexOf('://', from);
    const scheme = beforeUrl.exec(text.slice(Math.max(done, mark - 32), mark))?.[0];
    // A URL ends where the next one begins, so that each character is read once.
    const [rest = ''] = /^[^\s"'<>\\]*/.exec(text.slice(from, next < 0 ? undefined : next)) ?? [];
    const length = scheme === undefined ? 0 : loginLength(scheme, rest);
    if (length > 0) {
      clean += text.slice(done, from) + redacted;
      done = from + length;
    }
    mark = next;
  }
  return done === 0 ? text : clean + text.slice(done);
}

/** Returns the length of the user name and the password before the `@`; 0 if there are none. */
function loginLength(scheme: string, rest: string): number {
  const [host = ''] = /^[^/?#]*/.exec(rest) ?? [];
  const at = host.lastIndexOf('@');
  const isHttp = /^https?$/i.test(scheme);
  if (at > 0) {
    // A user name without a password, as in ssh://git@host, is not a secret, unless a browser would send it as one.
    if (!host.slice(0, at).includes(':')) return isHttp ? at : 0;
    // A path of the web may have an `@`; in other URLs it is a part of a password.
    return isHttp || /^(?:wss?|ssh|git|ftp)$/i.test(scheme) ? at : rest.lastIndexOf('@');
  }
  // A password may have characters that end the host: what follows the colon is not a port then.
  const [, port] = /^[^:[\]]*:(.+)$/s.exec(host) ?? [];
  if (port === undefined || /^(?:\d{1,5}$|[$%{])/.test(port)) return 0;
  return Math.max(0, rest.lastIndexOf('@'));
}

const curlWord = new RegExp(
  String.raw`\\\r?\n|\n|${wordStart}curl(?=\s)|(?<=[\s"'\x60])(?:-u(?:[ \t]{1,4}|(?=[^\s-]))|--user(?:[ \t]{1,4}|=))(${quote})?`,
  'g',
);
const login = /[^\s"'`\\]*/y;

function redactCurl(text: string): string {
  let isCurl = false;
  return replaceSpans(text, curlWord, ([word, opening], from) => {
    if (!word.startsWith('-')) isCurl = word === 'curl' || (isCurl && word !== '\n');
    if (!isCurl || !word.startsWith('-')) return undefined;
    const to = opening === undefined ? stepOver(login, text, from) : closingQuote(text, opening, from);
    return isLogin(text.slice(from, to)) ? { from, to } : undefined;
  });
}

/** True for `user:password`. */
function isLogin(text: string): boolean {
  return text.includes(':') && !text.includes('://') && !/^\d+:\d+$/.test(text);
}
