// Lower-case letters and digits that are not easily confused: models copy them.
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 26 letters of five random bits each. */
export function randomName(): string {
  let name = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(26))) name += letters[byte & 31];
  return name;
}
