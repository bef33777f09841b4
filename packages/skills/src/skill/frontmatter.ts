import { Composer, type CST, isCollection, isMap, isScalar, type Node, Parser } from 'yaml';
import { deepestValue, isJson, longestFrontmatter } from './frontmatter-rules.js';

/** A `SKILL.md`, split at the end of its frontmatter. */
interface SplitSkill {
  /** The frontmatter as JSON: an object, of which nothing else is checked. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The Markdown after the frontmatter. */
  readonly body: string;
}

const byteOrderMark = '\uFEFF';

/** The end of the frontmatter: a line of three hyphens. */
const closing = /^---[ \t]*(?:\r?\n|$)/gm;

/**
 * Reads the YAML frontmatter of a `SKILL.md`: YAML 1.2 with the core schema. Aliases, tags of other schemas, repeated keys and values
 * that JSON cannot write are errors. A byte order mark before it, which some editors write, is skipped.
 * @throws SyntaxError if there is no frontmatter, or if it is invalid.
 */
export function readFrontmatter(file: string): SplitSkill {
  const text = file.startsWith(byteOrderMark) ? file.slice(1) : file;
  const [opening] = /^---[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) throw new SyntaxError('it does not begin with a line of three hyphens, "---"');
  const begin = opening.length;
  closing.lastIndex = begin;
  const end = closing.exec(text.slice(0, begin + longestFrontmatter + 8));
  if (end === null || end.index - begin > longestFrontmatter)
    throw new SyntaxError(
      `the frontmatter does not end: a line of three hyphens must follow within ${longestFrontmatter} characters`,
    );
  const frontmatter = readYaml(text.slice(begin, end.index));
  if (typeof frontmatter !== 'object' || frontmatter === null || Array.isArray(frontmatter))
    throw new SyntaxError('the frontmatter must be a mapping, such as "name: my-skill"');
  return {
    frontmatter: frontmatter as Readonly<Record<string, unknown>>,
    body: text.slice(end.index + end[0].length),
  };
}

function readYaml(source: string): unknown {
  const tokens = [...new Parser().parse(source)];
  for (const token of tokens) {
    const problem = structureProblem(token);
    if (problem !== undefined) throw new SyntaxError(`the frontmatter has ${problem}`);
  }
  const composer = new Composer({
    schema: 'core',
    version: '1.2',
    strict: true,
    // The library compares each key with all others: `repeatedKey` takes time in proportion to the text.
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [document, ...more] = [...composer.compose(tokens, true, source.length)];
  const [problem] = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  if (document === undefined || problem !== undefined || more.length > 0)
    throw new SyntaxError(
      `the frontmatter is not valid YAML: ${problem?.message ?? 'it has several documents'}`,
    );
  const repeated = repeatedKey(document.contents);
  if (repeated !== undefined)
    throw new SyntaxError(
      `the frontmatter has the key ${repeated} twice, or as something other than a value`,
    );
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isJson(value))
    throw new SyntaxError(
      'the frontmatter has a value that JSON cannot write, such as .inf or a key that is not a text',
    );
  return value;
}

/**
 * Returns the problem of a document's structure; undefined if there is none. Composing recurses for each level, so a text of
 * brackets alone would overflow the stack; this function does not recurse.
 */
function structureProblem(root: CST.Token): string | undefined {
  const rest: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { token, depth } = next;
    if (depth > deepestValue) return `more than ${deepestValue} levels of values inside values`;
    if (token.type === 'error') return `a problem: ${token.message}`;
    if (token.type === 'alias') return `the alias ${token.source}: write its value instead`;
    if ('value' in token && token.value !== undefined) rest.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items) {
      if (key) rest.push({ token: key, depth: depth + 1 });
      if (value) rest.push({ token: value, depth: depth + 1 });
    }
  }
  return undefined;
}

/** Returns a key that a mapping has twice, or that is a collection; undefined if there is none. */
function repeatedKey(node: unknown): string | undefined {
  if (!isCollection(node)) return undefined;
  if (!isMap(node)) {
    for (const item of node.items) {
      const repeated = repeatedKey(item);
      if (repeated !== undefined) return repeated;
    }
    return undefined;
  }
  const seen = new Set<string>();
  for (const { key, value } of node.items as readonly { key: Node | null; value: Node | null }[]) {
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name === undefined || seen.has(name)) return JSON.stringify(name ?? String(key).slice(0, 100));
    seen.add(name);
    const repeated = repeatedKey(value);
    if (repeated !== undefined) return repeated;
  }
  return undefined;
}
