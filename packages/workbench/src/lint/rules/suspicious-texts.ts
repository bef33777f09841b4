import { entriesOf, type LintPlace, type LintRule, quoted, rulesOf, toolPlace } from './rule.js';
import { schemaPlaces } from './schema-places.js';
import type { LintSubject } from './subject.js';

interface Text {
  readonly place: LintPlace;
  readonly at: string;
  readonly text: string;
}

/** Longer texts are read up to here. */
const longest = 100_000;

/** Returns all texts of a server that a model may read. */
function* textsOf({ catalog }: LintSubject): Generator<Text> {
  const text = (place: LintPlace, at: string, value: unknown): Text[] =>
    typeof value === 'string' && value !== '' ? [{ place, at, text: value.slice(0, longest) }] : [];
  yield* text({ kind: 'server', name: '' }, '/instructions', catalog.instructions);
  for (const { kind, place, entry } of entriesOf(catalog)) {
    yield* text(place, '/name', entry.name);
    yield* text(place, '/title', entry.title);
    yield* text(place, '/description', entry.description);
    if (kind !== 'prompt') continue;
    for (const [index, argument] of (entry.arguments ?? []).entries())
      yield* text(place, `/arguments/${index}/description`, argument.description);
  }
  for (const tool of catalog.tools)
    for (const { schema, pointer } of schemaPlaces(tool.inputSchema).places)
      for (const keyword of ['title', 'description'])
        yield* text(toolPlace(tool), `/inputSchema${pointer}/${keyword}`, schema[keyword]);
}

const textRule = rulesOf(textsOf);

/** Characters that people do not see: first and last code point of each range. */
const hiddenRanges: readonly (readonly [first: number, last: number])[] = [
  // Controls, without tab, line feed and carriage return.
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  // Zero-width space. The joiners U+200C and U+200D are part of Persian, Indic scripts and emoji.
  [0x200b, 0x200b],
  // Text direction marks, embeddings and overrides.
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  // Invisible operators and isolates, byte order mark, tags.
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

function hiddenCharacter(text: string): number | undefined {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x20 && code < 0x7f) continue;
    if (hiddenRanges.some(([first, last]) => code >= first && code <= last)) return code;
  }
  return undefined;
}

const hiddenCharacters = textRule({
  id: 'hidden-characters',
  severity: 'error',
  about: 'Texts have no control characters, zero-width characters, text direction marks or Unicode tags.',
  problem({ text }) {
    const character = hiddenCharacter(text);
    if (character === undefined) return undefined;
    const code = character.toString(16).toUpperCase().padStart(4, '0');
    return `The text has the hidden character U+${code}, which models read and people do not see. Remove it.`;
  },
});

const injections: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|my\s+)?(?:previous|prior|above|earlier|preceding|other|system)\s+(?:instruction|prompt|message|rule|direction|guideline)s?\b/i,
  /\b(?:do not|don't|never)\s+(?:tell|inform|notify|mention|disclose)\b[^.\n]{0,40}\b(?:the|your)\s+user\b/i,
  /\bwithout\s+(?:telling|asking|informing|notifying)\s+the\s+user\b/i,
  /\b(?:reveal|print|repeat|send|include|pass|output)\b[^.\n]{0,40}\b(?:system prompt|conversation history|chat history|previous messages)\b/i,
  /<\/?(?:important|system|instructions?|secret|assistant)\s*>/i,
  /\bid_(?:rsa|ed25519|ecdsa)\b|\.aws\/credentials\b|~\/\.(?:netrc|npmrc|cursor\/mcp\.json)\b/i,
  /\bnew (?:system )?instructions\s*:/i,
];

const injectedInstructions = textRule({
  id: 'injected-instructions',
  severity: 'error',
  about: 'Texts do not try to take over the model: no "ignore previous instructions", no secrets to collect.',
  problem({ text }) {
    const found = firstMatch(text, injections);
    if (found === undefined) return undefined;
    return `The text ${quoted(found)} reads like prompt injection, and clients may block the server. Describe only what the entry does.`;
  },
});

const steering: readonly RegExp[] = [
  /\b(?:do not|don't|never)\s+(?:use|call)\s+(?:any\s+)?other\s+tools?\b/i,
  /\b(?:before|after)\s+(?:using|calling|running)\s+(?:any|every|each|all)\s+(?:other\s+)?tools?\b/i,
  /\b(?:instead of|rather than)\s+(?:any|all|every)\s+(?:other|built-?in)\s+tools?\b/i,
  /\b(?:always|must)\s+(?:use|call|run|invoke)\s+this\s+tool\s+(?:first|before|for every|for all)\b/i,
  /\bwhen(?:ever)?\s+(?:the\s+)?(?:tool\s+)?[\w-]+\s+(?:tool\s+)?is\s+(?:called|used)\b[^.\n]{0,60}\b(?:send|add|change|replace|bcc)\b/i,
];

const steersOtherTools = textRule({
  id: 'steers-other-tools',
  severity: 'warning',
  about: 'Texts do not tell the model how to use the tools of other servers.',
  problem({ text }) {
    const found = firstMatch(text, steering);
    if (found === undefined) return undefined;
    return `The text ${quoted(found)} tells the model how to use other tools. Say when this one is useful, and nothing about others.`;
  },
});

function firstMatch(text: string, tried: readonly RegExp[]): string | undefined {
  for (const pattern of tried) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Rules about texts that attack models. */
export const suspiciousTextRules: readonly LintRule[] = [
  hiddenCharacters,
  injectedInstructions,
  steersOtherTools,
];
