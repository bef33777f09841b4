import { type OptionRule, optionRules } from '@tenon/mcp-session/internal';

const { text, texts } = optionRules;

/** One audience, or several, and never none. */
export const audienceRule: OptionRule = {
  is: 'a text, or a list of at least one',
  allows: (value) => text.allows(value) || (texts.allows(value) && (value as readonly string[]).length > 0),
};

/**
 * What tokens for a resource have in `aud`: its identifier to the letter. That of a whole host is the same with a slash at
 * its end, and clients ask for either.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri
 */
export function audiencesOf(resource: string): readonly string[] {
  const { origin } = new URL(resource);
  return resource === origin || resource === `${origin}/` ? [origin, `${origin}/`] : [resource];
}
