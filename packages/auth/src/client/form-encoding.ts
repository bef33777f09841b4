/**
 * A text as the value of a field of a form.
 * https://www.rfc-editor.org/rfc/rfc6749#appendix-B
 */
export function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
