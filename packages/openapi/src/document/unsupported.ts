/** The reason that an operation cannot be a tool. It is listed as skipped; the other operations are not affected. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
