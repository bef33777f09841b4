// Support for the tests beside it: what each revision may write, counted out by hand. The suffix keeps it out of the package.
import { isObject } from '../src/json-rpc/json.js';

/** The members an object may have; `open` allows any value. Lists have the shape of their members. */
export type Shape = 'open' | Members | ByTag;
interface Members {
  readonly [key: string]: Shape;
}
class ByTag {
  readonly tag: string;
  readonly shapes: Members;
  constructor(tag: string, shapes: Members) {
    this.tag = tag;
    this.shapes = shapes;
  }
}

/** An object of these members: plain ones by name, others with their shapes. */
export function keys(plain: string, more: Members = {}): Members {
  return {
    ...Object.fromEntries(
      plain
        .split(' ')
        .filter(Boolean)
        .map((key) => [key, 'open' as const]),
    ),
    ...more,
  };
}

/** Objects told apart by a member. */
export function by(tag: string, shapes: Members): ByTag {
  return new ByTag(tag, shapes);
}

/** Paths of members that the shape does not have. Members met are added to `met`. */
export function leaks(
  value: unknown,
  shape: Shape,
  at: { readonly path: string; readonly met: Set<string> },
): string[] {
  if (shape === 'open') return [];
  if (Array.isArray(value)) return value.flatMap((item) => leaks(item, shape, at));
  if (!isObject(value)) return [`${at.path} is not an object`];
  if (shape instanceof ByTag) {
    const tag = String(value[shape.tag]);
    const path = `${at.path}<${tag}>`;
    const chosen = shape.shapes[tag];
    return chosen === undefined ? [path] : leaks(value, chosen, { ...at, path });
  }
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = shape[key] ?? shape['*'];
    const path = `${at.path}.${shape[key] === undefined ? '*' : key}`;
    if (inner === undefined) return [`${at.path}.${key}`];
    at.met.add(path);
    return leaks(member, inner, { ...at, path });
  });
}

/** Every path a shape has. */
export function paths(shape: Shape, path: string): string[] {
  if (shape === 'open') return [];
  if (shape instanceof ByTag) {
    return Object.entries(shape.shapes).flatMap(([tag, inner]) => paths(inner, `${path}<${tag}>`));
  }
  return Object.entries(shape).flatMap(([key, inner]) => [
    `${path}.${key}`,
    ...paths(inner, `${path}.${key}`),
  ]);
}
