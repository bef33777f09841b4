// For programs with a user interface: forms, completion while the user types, icons, pages to open.

export { type AddressWarning, type PageAddress, readAddress } from './features/page-address.js';
export type { ImageType } from './icons/image-type.js';
export { type IconOptions, type LoadedIcon, loadIcon } from './icons/load-icon.js';
export { type FormContent, formProblem, withFormDefaults } from './input/form.js';
export {
  type ArgumentCompleter,
  type CompleterOptions,
  type Completion,
  type CompletionSource,
  createCompleter,
} from './ui/completer.js';
export { consentToUrl, type UrlConsent, type UrlElicitation } from './ui/url-consent.js';
