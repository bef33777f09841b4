import { secrecyOf } from '@tenon/foundation/redaction';
import type { FormField, FormSchema } from '@tenon/mcp-client';
import { isObject } from '@tenon/mcp-protocol/internal';

/** Returns content for a form, with defaults and places to fill in. */
export function formTemplate({ properties }: FormSchema): object {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fieldTemplate(field)]));
}

/** A value that a field of a form offers. */
interface Choice {
  readonly value: string;
  readonly title: string;
}

/** Returns the values that a field offers, with their titles; undefined if it is free. */
export function choicesOf(field: FormField): readonly Choice[] | undefined {
  const schema = field.type === 'array' && isObject(field.items) ? field.items : field;
  const titles = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  if (Array.isArray(schema.enum))
    return schema.enum.map((value, index) => ({
      value: String(value),
      title: String(titles[index] ?? value),
    }));
  const variants = [schema.oneOf, schema.anyOf].find((list) => Array.isArray(list));
  if (!Array.isArray(variants)) return undefined;
  return variants
    .filter(isObject)
    .map((one) => ({ value: String(one.const), title: String(one.title ?? one.const) }));
}

function fieldTemplate(field: FormField): unknown {
  if (field.default !== undefined) return field.default;
  const [first] = choicesOf(field) ?? [];
  if (field.type === 'boolean') return false;
  if (field.type === 'number' || field.type === 'integer')
    return typeof field.minimum === 'number' ? field.minimum : 0;
  if (field.type === 'array') return first === undefined ? [] : [first.value];
  return first?.value ?? '...';
}

const payment = /card[\s_-]?number|\bcv[vc]2?\b/i;

/**
 * True for a field that requests a secret, by its name or title: servers must request secrets by a page, and not in a form.
 * https://modelcontextprotocol.io/specification/latest/client/elicitation
 */
export function isSecretField(name: string, { title, format, type }: FormField): boolean {
  if (type !== 'string') return false;
  const labels = [name, ...(typeof title === 'string' ? [title] : [])];
  return (
    format === 'password' || labels.some((label) => secrecyOf(label) !== undefined || payment.test(label))
  );
}
