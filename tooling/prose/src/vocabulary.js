/**
 * @typedef {'comment' | 'doc' | 'test title' | 'error text' | 'page' | 'identifier'} Kind where a piece of prose is; `doc` is a doc comment
 */

/**
 * @typedef {object} Term
 * @property {RegExp} found case-insensitive, without the flags `g` and `y`
 * @property {string} write what to write instead
 * @property {readonly Kind[]} [in] the kinds of prose the term is checkedXX */

/**
 * @param {string} pattern of whole words
 * @param {string} write
 * @param {readonly Kind[]} [kinds]
 * @returns {Term}
 */
function word(pattern, write, kinds) {
  return { found: new RegExp(`\\b(?:${pattern})\\b`, 'i'), write, ...(kinds && { in: kinds }) };
}

/**
 * @param {string} pattern at the beginning of a comment or a test title
 * @param {string} write
 * @param {readonly Kind[]} kinds
 * @returns {Term}
 */
function opening(pattern, write, kinds) {
  return { found: new RegExp(`^(?:${pattern})\\b`, 'i'), write, in: kinds };
}

const inCode = /** @type {const} */ (['comment', 'doc', 'test title', 'error text']);
const inNamesToo = /** @type {const} */ ([...inCode, 'page', 'identifier']);

/** @type {readonly Term[]} */
export const vocabulary = [
  // One name for each idea.
  word('rooms?|houses?', 'package, or module'),
  word('carriers?', 'transport', inNamesToo),
  word('flaws?|flawed', 'problem', inNamesToo),
  word('mend(?:s|ed|ing)?', 'fix'),
  word('vouch(?:es|ed|ers?)?|vouching', 'authenticate, or confirm'),
  word('desks?', 'SessionRouter, or session router', inNamesToo),
  word('lifelines?', 'connection supervisor', inNamesToo),
  word('askers?', 'InputRequester, or input requester', inNamesToo),
  word('farewells?', 'endSession, or the request that ends the session', inNamesToo),
  word('wanderers?', 'the name of the class'),
  word('asking|questions?', 'input request; elicitation, sampling, roots by name', inCode),
  word('walks?', 'request path, or flow', inCode),

  // Active voice, with a subject that has a name.
  word(
    'hears? of|heard of|hears? (?:nothing|no more)|hear(?:s|ing)? from',
    'receives, is notified, or notices',
  ),
  word('(?:is|are|was|were|be|been|being) told', 'receives, or is notified'),
  word('lets? in|keeps? out', 'authorizes, or rejects'),
  word('who may call', 'access control, or authorized callers'),
  word('says? of (?:itself|themselves|himself)', 'client info, or server info'),
  word('lets? go of', 'releases, or drops'),
  word('takes? (?:it |them )?back', 'cancels, or withdraws'),
  word('(?:has|have|had) no part in', 'does not'),
  word('by way of|to speak of|as it were|so to speak', 'nothing, or the plain verb'),
  word('for (?:its|their|his|her|whose) sake', 'for, or because of'),
  word('at the whim', 'as ... decides'),
  word('(?:what|which|that) c[ao]mes? of', 'the result of'),
  word('for what (?:is|are|was|has|does)', 'if ... is not ..., naming the thing'),
  word('what is (?:no|none|not)', 'the thing that is malformed, unknown or missing, by name'),
  word('is no (?:matter|concern|business)', 'does not matter'),
  word('nobody|no ?one|somebody|someone|whoever|whomever', 'the user, the author, the client, no client ...'),
  word('whose|whom', 'a sentence of its own, or "with a ... that"'),
  word('he|him|his|she|hers?', 'the user, or they'),
  word('upon|thereof|therein|whereupon|hitherto|henceforth|lest|thereby|hence|anew', 'the everyday word'),
  word('beforehand|aforesaid|likewise', 'before, or also'),
  word('stands? (?:in|with|at|beside|there|behind|for itself|alone)', 'is in, is beside, or is'),
  word('twice over|once and for all', 'twice, or once'),

  // A doc comment begins with what the thing is or does.
  opening(
    '(?:what|how|why|where|when|who|which)',
    'the thing itself: "The ...", "Milliseconds until ...", "Returns ..."',
    ['doc'],
  ),
  opening('(?:gives?|takes?|hands?|tells?|says?|asks?|hears?|lets?)', 'returns, accepts, or the exact verb', [
    'doc',
  ]),

  // A test title says what is done, and when.
  opening(
    '(?:it|they|nothing|neither|nor|so|but|and|whether)',
    '"does X when Y", such as "rejects a cursor from another server"',
    ['test title'],
  ),
];
