import { tagContent } from '@tenon/mcp-skills/client';
import { beginning, visibleText } from '../models/formats/text/visible-text.js';

/** Characters of one text of a skill that a model reads, at most. */
const mostCharacters = 100_000;

/**
 * Returns a text of a skill for the context of a model: between two lines that name its server and its URI, without characters that people do
 * not see, and cut where it is too long.
 */
export function modelContent(place: { readonly server: string; readonly uri: string }, text: string): string {
  const shown = visibleText(text);
  if (shown.length <= mostCharacters) return tagContent(place, shown);
  return tagContent(
    place,
    `${beginning(shown, mostCharacters)}\n[cut here: the first ${mostCharacters} of ${shown.length} characters]`,
  );
}
