/**
 * Prefixes of keys of well-known services, with the least length of such a key. Compared with the rules of gitleaks 8 and secretlint 13;
 * keys without a prefix of their own are found by the name before them.
 */
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
  ['xoxo-', 15],
  ['shpca_', 20],
  ['shppa_', 20],
  ['doo_v1_', 30],
  ['dor_v1_', 30],
  ['glcbt-', 20],
  ['glptt-', 20],
  ['glrt-', 20],
  ['glft-', 20],
  ['glimt-', 20],
  ['glagent-', 20],
  ['glsoat-', 20],
  ['gloas-', 20],
  ['glffct-', 20],
  ['GR1348941', 20],
  ['glc_', 30],
  ['dapi', 36],
  ['figd_', 30],
  ['dckr_pat_', 30],
  ['ops_eyJ', 30],
  ['p8e-', 30],
  ['LTAI', 24],
  ['ABSK', 60],
  ['AKCp', 60],
  ['HRKU-', 30],
  ['api_org_', 30],
  ['duffel_live_', 30],
  ['duffel_test_', 30],
  ['EZAK', 50],
  ['EZTK', 50],
  ['FLWSECK', 20],
  ['fio-u-', 40],
  ['ico-', 30],
  ['lin_oauth_', 20],
  ['pplx-', 30],
  ['pscale_tkn_', 30],
  ['pscale_oauth_', 30],
  ['pscale_pw_', 30],
  ['PMAK-', 30],
  ['pnu_', 30],
  ['pul-', 40],
  ['rdme_', 40],
  ['rubygems_', 30],
  ['sgp_', 40],
  ['shippo_live_', 30],
  ['shippo_test_', 30],
  ['sntrys_', 30],
  ['sntryu_', 30],
  ['sq0atp-', 20],
  ['sq0csp-', 20],
  ['tk-us-', 40],
  ['tskey-', 20],
  ['xkeysib-', 40],
];

/** Prefixes of keys with several parts and dots between them. */
const dotted: readonly string[] = ['ya29', 'SG', 'hvs', 'hvb', 'dt0c01'];

const amazonKey = /^(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}$/;
const twilioKey = /^SK[0-9a-f]{32}$/;

/** True for a word (letters, digits, `_` and `-`) that looks like a key of a service. */
export function isKeyShaped(word: string): boolean {
  if (word.length < 15) return false;
  for (const [prefix, length] of prefixes) {
    // Without a digit it is probably a name: "sk-learn-based-classifier".
    if (word.startsWith(prefix)) return word.length >= length && /\d/.test(word);
  }
  return amazonKey.test(word) || twilioKey.test(word);
}

/** True for the first word of a token in several parts: a JSON Web Token, or a key with dots. */
export function beginsDotted(word: string): boolean {
  return (word.startsWith('eyJ') && word.length >= 10) || dotted.includes(word);
}
