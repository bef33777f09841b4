// For programs with a user interface: forms, completion while the user types, icons, pages to open.
export { type FormContent, formProblem, withFormDefaults } from './input/form.js';
export {
  type ArgumentCompleter,
  type CompleterOptions,
  type Completion,
  type CompletionSource,
  createCompleter,
} from './ui/completer.js';
export type { ImageType } from './ui/image-type.js';
export { type IconOptions, type LoadedIcon, loadIcon } from './ui/load-icon.js';
export { type AddressWarning, type PageAddress, readAddress } from './ui/page-address.js';
export { consentToUrl, type UrlConsent, type UrlElicitation } from './ui/url-consent.js';
