interface Frame {
  /** The sorted names of an object; undefined for an array. */
  readonly names: readonly string[] | undefined;
  readonly values: readonly unknown[];
  next: number;
}

/** Returns JSON text that does not depend on the order of members. Any depth; the value must be plain JSON. */
export function canonicalJson(value: unknown): string {
  const text: string[] = [];
  const frames: Frame[] = [];
  open(value, text, frames);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { names, values } = frame;
    const index = frame.next++;
    if (index === values.length) {
      text.push(names === undefined ? ']' : '}');
      frames.pop();
      continue;
    }
    if (index > 0) text.push(',');
    const name = names?.[index];
    if (name !== undefined) text.push(JSON.stringify(name), ':');
    open(values[index], text, frames);
  }
  return text.join('');
}

function open(value: unknown, text: string[], frames: Frame[]): void {
  if (typeof value !== 'object' || value === null) {
    text.push(JSON.stringify(value) ?? 'null');
  } else if (Array.isArray(value)) {
    text.push('[');
    frames.push({ names: undefined, values: value, next: 0 });
  } else {
    const members = value as { readonly [name: string]: unknown };
    const names = Object.keys(members)
      .filter((name) => members[name] !== undefined)
      .sort();
    text.push('{');
    frames.push({ names, values: names.map((name) => members[name]), next: 0 });
  }
}
