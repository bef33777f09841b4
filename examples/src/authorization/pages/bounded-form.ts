/** A rejected form. If `visit` does not catch it, it becomes the response. */
export class FormError extends Error {
  override readonly name = 'FormError';
  /** 413 or 415. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const formType = 'application/x-www-form-urlencoded';

/**
 * Reads the fields of a submitted form.
 * @param most - bytes, at most.
 * @throws FormError if the form is larger, or if the body has another type.
 */
export async function boundedForm(request: Request, most: number): Promise<URLSearchParams> {
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== formType) throw new FormError(415, `A form must be sent as ${formType}.`);
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest of the body.
  for await (const part of request.body ?? []) {
    size += part.byteLength;
    if (size > most) throw new FormError(413, `The form has more than ${most} bytes.`);
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString());
}
