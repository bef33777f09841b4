/** A form that is not taken; uncaught by who shows the page, it becomes the answer. */
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
 * The fields of a form that was sent.
 * @param most - bytes.
 * @throws FormError for one that is larger, and for another kind of body.
 */
export async function boundedForm(request: Request, most: number): Promise<URLSearchParams> {
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== formType) throw new FormError(415, `A form must be sent as ${formType}.`);
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let total = 0;
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return new URLSearchParams(text + decoder.decode());
    total += part.value.length;
    if (total > most) {
      await reader?.cancel();
      throw new FormError(413, `A form may have ${most} bytes.`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
}
