/** The characters that are printed of a longer text. */
const longest = 4_096;

/** Returns a text of a server as one line of at most 4,096 characters. */
export function oneLine(text: string): string {
  const line = text.slice(0, longest).replaceAll(/\s+/g, ' ').trim();
  const more = text.length - longest;
  return more > 0 ? `${line}… (${more} more characters)` : line;
}
