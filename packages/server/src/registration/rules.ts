import { isRecord } from '@tenon/foundation';
import type { Annotations, CacheHints, Icon, ToolAnnotations } from '@tenon/mcp-protocol';
import { isUrl, scopeProblem } from '@tenon/mcp-protocol/internal';
import { listOf, type Members, must, objectOf, type Rule } from './members.js';

/** Rules for all members of a type: a new member must have a rule. */
export type RulesFor<T> = { readonly [K in keyof T]-?: Rule };

export const text: Rule = must((value) => typeof value === 'string', 'a string');

export const named: Rule = must(
  (value) => typeof value === 'string' && value !== '',
  'a string that is not empty',
);

export const flag: Rule = must((value) => typeof value === 'boolean', 'true or false');

/** For members that are checked elsewhere. */
export const anything: Rule = () => undefined;

export const mediaType: Rule = must(
  (value) => typeof value === 'string' && /^[^\s/]+\/[^\s/]+/.test(value),
  'a media type such as "text/plain"',
);

export const byteCount: Rule = must(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'a whole number of bytes, 0 or more',
);

export const callable: Rule = must((value) => typeof value === 'function', 'a function');

/** Visibility is decided synchronously: a promise would be ignored. */
export const decides: Rule = (value, at) =>
  Object.prototype.toString.call(value) === '[object AsyncFunction]'
    ? `${at} must answer at once, and this is an async function: look things up when the principal is made`
    : callable(value, at);

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
export const scopes: Rule = listOf((value, at) => {
  const problem = scopeProblem(value);
  return problem === undefined ? undefined : `${at} ${problem}`;
}, 'a list of scopes, such as ["notes:write"]');

export const metadata: Rule = must(isRecord, 'an object');

export const completers: Rule = (value, at) => {
  if (!isRecord(value)) return `${at} must be an object of functions, one for each name`;
  for (const [name, completer] of Object.entries(value)) {
    const problem = callable(completer, `${at}.${name}`);
    if (problem !== undefined)
      return Array.isArray(completer) ? `${problem}: suggest([...]) makes one of a list` : problem;
  }
  return undefined;
};

/** Returns a rule for a fixed set of words. */
function oneOf(...words: readonly string[]): Rule {
  const allowed = words.map((word) => JSON.stringify(word)).join(' or ');
  return must((value) => words.includes(value as string), allowed);
}

const iconMembers: Members = {
  rules: {
    src: must(isIconSource, 'an absolute https: URL without credentials, or a data: URL'),
    mimeType: mediaType,
    sizes: listOf(
      must(
        (value) => typeof value === 'string' && /^(?:\d+x\d+|any)$/.test(value),
        '"48x48" or the like, or "any"',
      ),
      'a list of sizes',
    ),
    theme: oneOf('light', 'dark'),
  } satisfies RulesFor<Icon>,
  instead: {
    url: 'use "src"',
    href: 'use "src"',
    uri: 'use "src"',
    type: 'use "mimeType"',
    size: 'use "sizes", a list',
  },
};

const oneIcon: Rule = (value, at) =>
  objectOf(iconMembers, 'an object with "src"')(value, at) ??
  ((value as Partial<Icon>).src === undefined ? `${at} needs "src"` : undefined);

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#icons */
export const icons: Rule = listOf(oneIcon, 'a list of icons');

function isIconSource(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (/^data:/i.test(value)) return true;
  if (!/^https:\/\//i.test(value) || !isUrl(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

export const toolAnnotations: Rule = objectOf(
  {
    rules: {
      title: text,
      readOnlyHint: flag,
      destructiveHint: flag,
      idempotentHint: flag,
      openWorldHint: flag,
    } satisfies RulesFor<ToolAnnotations>,
  },
  'an object of hints',
);

export const resourceAnnotations: Rule = objectOf(
  {
    rules: {
      audience: listOf(oneOf('user', 'assistant'), 'a list of "user" and "assistant"'),
      priority: must(
        (value) => typeof value === 'number' && value >= 0 && value <= 1,
        'a number from 0 (optional) to 1 (required)',
      ),
      lastModified: must(
        (value) =>
          typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
        'an ISO 8601 date and time',
      ),
    } satisfies RulesFor<Annotations>,
  },
  'an object',
);

export const cacheHints: Rule = objectOf(
  {
    rules: { ttlMs: anything, cacheScope: oneOf('public', 'private') } satisfies RulesFor<CacheHints>,
    instead: { ttl: 'use "ttlMs", in milliseconds', scope: 'use "cacheScope"' },
  },
  'an object with "ttlMs" and "cacheScope"',
);
