import { isRecord } from '@tenon/foundation';
import { nameProblem } from './skill-uri.js';

const reserved = 'io.modelcontextprotocol/';

/**
 * Returns the problem of a frontmatter by the rules of Agent Skills, and of the keys that MCP reserves; undefined if there is none.
 * @see https://agentskills.io/specification
 */
export function frontmatterProblem(frontmatter: unknown): string | undefined {
  if (!isRecord(frontmatter)) return 'the frontmatter must be an object with "name" and "description"';
  const { name, description, license, compatibility, metadata, 'allowed-tools': tools } = frontmatter;
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) return `the name ${JSON.stringify(name)} ${wrongName}`;
  if (!isText(description, 1_024) || description.trim() === '')
    return '"description" must be a text of 1 to 1024 characters: it says what the skill does and when to use it';
  if (license !== undefined && typeof license !== 'string') return '"license" must be a text';
  if (compatibility !== undefined && !isText(compatibility, 500))
    return '"compatibility" must be a text of 1 to 500 characters';
  if (tools !== undefined && typeof tools !== 'string')
    return '"allowed-tools" must be a text: names with a space between them';
  return metadata === undefined ? undefined : metadataProblem(metadata);
}

function metadataProblem(metadata: unknown): string | undefined {
  if (!isRecord(metadata)) return '"metadata" must be an object of texts';
  for (const [key, value] of Object.entries(metadata)) {
    if (key.startsWith(reserved))
      return `"metadata" has the key ${JSON.stringify(key)}: ${reserved} is reserved for extensions of MCP; use a prefix of your own`;
    if (typeof value !== 'string')
      return `"metadata" has ${JSON.stringify(key)}, which is not a text: put its value in quotation marks`;
  }
  return undefined;
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= longest;
}

/** True for a value that JSON writes and reads unchanged, up to a depth. */
export function isJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= deepestValue) return false;
  if (Array.isArray(value)) return value.every((one) => isJson(one, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.entries(value).every(([key, one]) => key !== '__proto__' && isJson(one, depth + 1));
}

/** The most characters of a frontmatter. */
export const longestFrontmatter = 16_384;

/** Levels of values inside values in a frontmatter. */
export const deepestValue = 32;

/** True if two JSON values have the same content; the order of members does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => isSameJson(value, other[index]))
    );
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  );
}
