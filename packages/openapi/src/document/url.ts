/** Returns the URL of a text; undefined if it is none. */
export function urlOf(text: string | URL, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
