/** Origins in one list of a declaration, and characters of one origin. */
const originLimits = { origins: 64, characters: 255 } as const;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const origin = new RegExp(
  `^(?:https?|wss?)://(?:\\*\\.${label}\\.)?${label}(?:\\.${label})*(?::(?:\\d{1,5}|\\*))?/?$`,
  'i',
);

/**
 * Returns the problem of an origin in a Content Security Policy, to follow its name in a sentence; undefined if it is one, such as
 * `https://api.example.com` or `https://*.example.com`. Anything else could add sources or directives to the policy.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#ui-resource-format
 */
export function originProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && value.length <= originLimits.characters && origin.test(value))
    return undefined;
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : typeof value;
  return `must be an origin such as "https://api.example.com" or "https://*.example.com", not ${shown}`;
}

/** Returns the problem of a list of origins, to follow its name in a sentence; undefined if all are origins. */
export function originsProblem(list: unknown): string | undefined {
  if (!Array.isArray(list)) return 'must be a list of origins';
  if (list.length > originLimits.origins) return `has more than ${originLimits.origins} origins`;
  for (const [index, one] of list.entries()) {
    const problem = originProblem(one);
    if (problem !== undefined) return `[${index}] ${problem}`;
  }
  return undefined;
}
