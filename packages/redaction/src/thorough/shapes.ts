/** Prefixes of keys of well-known services, with the least length of such a key. */
const prefixes: readonly (readonly [prefix: string, length: number])[] = [
  ['sk-', 20],
  ['sk_', 20],
  ['rk_', 20],
  ['ghp_', 20],
  ['gho_', 20],
  ['ghu_', 20],
  ['ghs_', 20],
  ['ghr_', 20],
  ['github_pat_', 30],
  ['xoxa-', 15],
  ['xoxb-', 15],
  ['xoxe-', 15],
  ['xoxp-', 15],
  ['xoxr-', 15],
  ['xoxs-', 15],
  ['xapp-', 15],
  ['glpat-', 20],
  ['gldt-', 20],
  ['glsa_', 20],
  ['AIza', 35],
  ['npm_', 30],
  ['pypi-', 30],
  ['hf_', 20],
  ['gsk_', 30],
  ['xai-', 30],
  ['shpat_', 20],
  ['shpss_', 20],
  ['dop_v1_', 30],
  ['whsec_', 20],
  ['lin_api_', 20],
  ['ntn_', 30],
  ['secret_', 30],
  ['AGE-SECRET-KEY-', 30],
];

/** Prefixes of keys with several parts and dots between them. */
const dotted: readonly string[] = ['ya29', 'SG', 'hvs', 'hvb'];

const amazonKey = /^(?:AKIA|ASIA)[A-Z0-9]{16}$/;

/** True for a word (letters, digits, `_` and `-`) that looks like a key of a service. */
export function isKeyShaped(word: string): boolean {
  if (word.length < 15) return false;
  for (const [prefix, length] of prefixes) {
    // Without a digit it is probably a name: "sk-learn-based-classifier".
    if (word.startsWith(prefix)) return word.length >= length && /\d/.test(word);
  }
  return amazonKey.test(word);
}

/** True for the first word of a token in several parts: a JSON Web Token, or a key with dots. */
export function beginsDotted(word: string): boolean {
  return (word.startsWith('eyJ') && word.length >= 10) || dotted.includes(word);
}
