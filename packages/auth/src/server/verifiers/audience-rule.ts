import { type OptionRule, optionRules } from '@tenon/foundation';

const { text, texts } = optionRules;

/** One audience, or a list of at least one. */
export const audienceRule: OptionRule = {
  is: 'a string, or a list of at least one string',
  allows: (value) => text.allows(value) || (texts.allows(value) && (value as readonly string[]).length > 0),
};

/**
 * Returns the values of `aud` in tokens for a resource: its identifier. For an origin, also the identifier with a trailing
 * slash, because clients request either.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri
 */
export function audiencesOf(resource: string): readonly string[] {
  const { origin } = new URL(resource);
  return resource === origin || resource === `${origin}/` ? [origin, `${origin}/`] : [resource];
}
