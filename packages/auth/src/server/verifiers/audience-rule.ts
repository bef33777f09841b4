import { type OptionRule, optionRules } from '@tenon/mcp-session';

const { text, texts } = optionRules;

/** One audience, or several, and never none. */
export const audienceRule: OptionRule = {
  is: 'a text, or a list of at least one',
  allows: (value) => text.allows(value) || (texts.allows(value) && (value as readonly string[]).length > 0),
};
