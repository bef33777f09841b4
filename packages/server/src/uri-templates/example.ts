import type { Expression, Part, VariableSpec } from './parse.js';

/** Sample values for URIs: one of them fits a host, an address, a port, a path or a whole URI. */
const values = ['1', 'a', 'a://a', 'a:a', 'a.a', '::1'];

/** Returns sample URIs of a template, each with one value for all variables. */
export function examplesOf(parts: readonly Part[]): readonly string[] {
  return values.map((value) =>
    parts.map((part) => (typeof part === 'string' ? part : expanded(part, value))).join(''),
  );
}

/** Returns a text that is equal for two templates that match the same URIs, whatever the names of their variables. */
export function shapeOf(parts: readonly Part[]): string {
  const names: string[] = [];
  const called = (name: string): number => {
    if (!names.includes(name)) names.push(name);
    return names.indexOf(name);
  };
  const shape = parts.map((part) => {
    if (typeof part === 'string') return part;
    const { operator, variables } = part;
    const specs = variables.map(({ name, length, explode }) => [
      operator.named ? name : called(name),
      length ?? 0,
      explode,
    ]);
    return [operator.first, operator.stops, specs];
  });
  return JSON.stringify(shape);
}

function expanded({ operator, variables }: Expression, value: string): string {
  const { first, separator, named, stops } = operator;
  const text = value.replace(/./g, (one) => (stops.includes(one) ? encodeURIComponent(one) : one));
  const one = ({ name, length }: VariableSpec) => {
    // A percent-encoded character counts as one, and is not cut.
    const cut = length !== undefined && length < value.length ? value.slice(0, 1) : text;
    return named ? `${name}=${cut}` : cut;
  };
  return first + variables.map(one).join(separator);
}
