import type { OptionRule } from '@tenon/mcp-session/internal';

/** How far clocks may be apart: beyond minutes a clock is wrong, not late. */
export const toleranceRule: OptionRule = {
  is: 'a number of milliseconds from 0 to 300,000',
  allows: (value) => typeof value === 'number' && value >= 0 && value <= 300_000,
};
