/**
 * Prefixes of keys of well-known services, by the least length of such a key. Compared with the rules of gitleaks 8 and secretlint 13;
 * keys without a prefix of their own are found by the name before them.
 */
const prefixes: readonly (readonly [length: number, prefixes: string])[] = [
  [15, 'xoxa- xoxb- xoxe- xoxp- xoxr- xoxs- xapp- xoxo-'],
  [
    20,
    'sk- sk_ rk_ ghp_ gho_ ghu_ ghs_ ghr_ glpat- gldt- glsa_ hf_ shpat_ shpss_ whsec_ lin_api_ ' +
      'shpca_ shppa_ glcbt- glptt- glrt- glft- glimt- glagent- glsoat- gloas- glffct- GR1348941 ' +
      'FLWSECK lin_oauth_ sq0atp- sq0csp- tskey-',
  ],
  [24, 'LTAI'],
  [
    30,
    'github_pat_ npm_ pypi- gsk_ xai- dop_v1_ ntn_ secret_ AGE-SECRET-KEY- doo_v1_ dor_v1_ glc_ ' +
      'figd_ dckr_pat_ ops_eyJ p8e- HRKU- api_org_ duffel_live_ duffel_test_ ico- pplx- pscale_tkn_ ' +
      'pscale_oauth_ pscale_pw_ PMAK- pnu_ rubygems_ shippo_live_ shippo_test_ sntrys_ sntryu_',
  ],
  [35, 'AIza'],
  [36, 'dapi'],
  [40, 'fio-u- pul- rdme_ sgp_ tk-us- xkeysib-'],
  [50, 'EZAK EZTK'],
  [60, 'ABSK AKCp'],
];
const lengths: ReadonlyMap<string, number> = new Map(
  prefixes.flatMap(([length, words]) => words.split(' ').map((prefix) => [prefix, length] as const)),
);

/** Prefixes of keys with several parts and dots between them. */
const dotted: readonly string[] = ['ya29', 'SG', 'hvs', 'hvb', 'dt0c01'];

const amazonKey = /^(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}$/;
const twilioKey = /^SK[0-9a-f]{32}$/;

/** True for a word (letters, digits, `_` and `-`) that looks like a key of a service. */
export function isKeyShaped(word: string): boolean {
  if (word.length < 15) return false;
  for (const [prefix, length] of lengths) {
    // Without a digit it is probably a name: "sk-learn-based-classifier".
    if (word.startsWith(prefix)) return word.length >= length && /\d/.test(word);
  }
  return amazonKey.test(word) || twilioKey.test(word);
}

/** True for the first word of a token in several parts: a JSON Web Token, or a key with dots. */
export function beginsDotted(word: string): boolean {
  return (word.startsWith('eyJ') && word.length >= 10) || dotted.includes(word);
}
