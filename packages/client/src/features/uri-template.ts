/** Values for the variables of a template; a variable without a value is left out. */
export type TemplateValues = { readonly [variable: string]: string | readonly string[] };

/**
 * The URI a template gives for these values. The code for it is loaded when it is first needed.
 * @throws TypeError when the template is broken, or a value is no text.
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
export async function expandTemplate(template: string, values: TemplateValues): Promise<string> {
  const given = Object.create(null) as { [variable: string]: unknown };
  for (const [name, value] of Object.entries(values)) {
    const isText =
      typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
    if (!isText) throw new TypeError(`The value of "${name}" must be a string or a list of strings.`);
    given[name] = value;
  }
  const { StdUriTemplate } = await import('@std-uritemplate/std-uritemplate');
  try {
    return StdUriTemplate.expand(template, given);
  } catch (cause) {
    const shown = JSON.stringify(template.slice(0, 256));
    throw new TypeError(`The URI template ${shown} cannot be filled in with these values.`, { cause });
  }
}
