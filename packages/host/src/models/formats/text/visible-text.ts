import { isRecord, withoutControls } from '@tenon/foundation';
import type { JsonObject, JsonValue } from '@tenon/mcp-protocol';

// Runs of characters that no program shows, such as zero-width spaces, marks of direction, fillers, tags and variation selectors.
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;

// The joiners and variation selectors that emoji, Persian, Indic scripts and Japanese names are written with: at most one of each
// in a row, after a character of theirs. Longer runs and runs after ASCII carry hidden data.
const joined = /^[\ufe00-\ufe0f]?[\u200c\u200d]?$/u;
const ideographicVariation = /^[\u{e0100}-\u{e01ef}]$/u;
const mongolianVariation = /^[\u180b-\u180d]$/u;
const enclosingKeycap = '\u20e3';

/**
 * Returns a text of a server as a model may read it: without terminal escapes, control characters other than tab and line ends, changes
 * of direction, and characters that people do not see but models read. Halves of characters, which the APIs of models reject, become
 * U+FFFD. Emoji and every script stay as they are.
 */
export function visibleText(text: string): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\ufffd');
  const shown = withoutControls(wellFormed);
  return shown.replace(invisible, (run: string, at: number) => {
    const before = characterBefore(shown, at);
    if (joined.test(run) && (isBeyondAscii(before) || shown[at + run.length] === enclosingKeycap)) return run;
    if (ideographicVariation.test(run) && /\p{Script=Han}/u.test(before)) return run;
    return mongolianVariation.test(run) && /\p{Script=Mongolian}/u.test(before) ? run : '';
  });
}

/** Returns a value with each text in it as {@link visibleText} returns it, names of members included. */
export function visibleJson<Value extends JsonValue>(value: Value): Value {
  if (typeof value === 'string') return visibleText(value) as Value;
  if (Array.isArray(value)) return value.map(visibleJson) as JsonValue as Value;
  if (!isRecord(value)) return value;
  const members = Object.entries(value as JsonObject);
  return Object.fromEntries(members.map(([name, one]) => [visibleText(name), visibleJson(one)])) as Value;
}

/** True for a text without characters that {@link visibleText} removes or replaces. */
export function isVisible(text: string): boolean {
  return visibleText(text) === text;
}

/** Returns a visible text in one line, of at most `most` characters: for names and addresses inside a sentence. */
export function visibleLine(text: string, most: number): string {
  return shortened(
    visibleText(text.slice(0, 4 * most))
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  );
}

/** Returns the beginning of a text with at most `most` UTF-16 code units, never half of a character, and with "…" if it was cut. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most - 1)}…`;
}

/** Returns the first `most` UTF-16 code units of a text, or one fewer if that would cut a character in two. */
export function beginning(text: string, most: number): string {
  const isCut = /[\ud800-\udbff]/.test(text.charAt(most - 1)) && /[\udc00-\udfff]/.test(text.charAt(most));
  return text.slice(0, Math.max(0, isCut ? most - 1 : most));
}

function characterBefore(text: string, at: number): string {
  const last = text.charAt(at - 1);
  return /[\udc00-\udfff]/.test(last) ? text.slice(at - 2, at) : last;
}

function isBeyondAscii(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
