export { onAbort, unlessAborted } from './cancellation/signals.js';
export {
  type Deadline,
  pause,
  type TimeLimit,
  withDeadline,
  withinTime,
} from './cancellation/time-limits.js';
export { type Cancel, type Clock, systemClock } from './clock/clock.js';
export { withDefaults } from './options/limits.js';
export { editDistance, meantOption, nearest } from './options/nearest.js';
export {
  listOf,
  type OptionRule,
  type OptionRules,
  optionRules,
  requireOptions,
} from './options/option-rules.js';
export { withoutControls } from './text/control-characters.js';
export { isRecord } from './text/is-record.js';
export { textIn, utf8Text } from './text/utf8.js';
