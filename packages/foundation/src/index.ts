export { fromBase64Url, toBase64, toBase64Url } from './base64.js';
export { BoundedMap } from './bounded-map.js';
export {
  type Deadline,
  onAbort,
  pause,
  type TimeLimit,
  unlessAborted,
  withDeadline,
  withinTime,
} from './cancellation.js';
export { canonicalJson } from './canonical-json.js';
export { type Cancel, type Clock, systemClock } from './clock.js';
export { detach, follow } from './detach.js';
export { closeNames, didYouMean } from './options/close-names.js';
export { meantOption, nearest } from './options/nearest.js';
export {
  constantsOf,
  listOf,
  type OptionRule,
  type OptionRules,
  optionRules,
  otherBounds,
  requireOptions,
  sameRule,
  wholeNumber,
  withDefaults,
} from './options/option-rules.js';
export { printableJson, printableText, unicodeEscape } from './printable.js';
export { randomId } from './random-id.js';
export { isRecord, jsonIn, textIn, utf8Text, withoutControls } from './text.js';
