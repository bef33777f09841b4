import { optionRules, requireOptions, withoutControls } from '@tenon/foundation';
import type { ElicitResult, ElicitUrlParams } from '@tenon/mcp-protocol';
import type { OnElicitUrl } from './features/elicitation.js';
import { type PageAddress, readAddress } from './features/page-address.js';
import type { InputRequestContext } from './input/input-requests.js';

// For programs with a user interface: forms, completion while the user types, icons, pages to open.

export { type AddressWarning, type PageAddress, readAddress } from './features/page-address.js';
export type { ImageType } from './icons/image-type.js';
export { type IconOptions, type LoadedIcon, loadIcon } from './icons/load-icon.js';
export { type FormContent, formProblem, withFormDefaults } from './input/form.js';
export {
  type ArgumentCompleter,
  type Completion,
  type CompletionSource,
  createCompleter,
} from './ui/completer.js';

/** The content of the consent dialogue before a page is opened. */
export interface UrlElicitation {
  /** The server's reason, without control characters: plain text, without clickable parts. */
  readonly message: string;
  /** The address: show all of it, highlight the host, and show the warnings. */
  readonly address: PageAddress;
  readonly params: ElicitUrlParams;
}

/** The functions that get consent for a page and open it. */
export interface UrlConsent {
  /** Gets the user's consent; show `context.server`. `decline` is a no, `cancel` a dialogue that was closed without an answer. */
  readonly confirm: (
    elicitation: UrlElicitation,
    context: InputRequestContext,
  ) => ElicitResult['action'] | Promise<ElicitResult['action']>;
  /**
   * Opens the address in the user's browser, hidden from this program and from models. Pass it to a program as one
   * argument; never make it part of a shell's command line.
   */
  readonly open: (href: string) => unknown;
  /** Receives the error if a page could not be opened: the server receives `cancel`. */
  readonly onFailed?: (error: unknown) => void;
}

/**
 * Returns the handler for elicitation by URL: gets consent with the whole address, and opens it only after `accept`. Nothing of
 * the page is ever fetched.
 * https://modelcontextprotocol.io/specification/latest/client/elicitation#safe-url-handling
 * @throws TypeError unless `confirm` and `open` are functions.
 */
export function consentToUrl(consent: UrlConsent): OnElicitUrl {
  const { callable } = optionRules;
  requireOptions('consentToUrl', consent, { confirm: callable, open: callable, onFailed: callable });
  const { confirm, open, onFailed } = consent;
  if (!confirm || !open) throw new TypeError('consentToUrl needs the functions "confirm" and "open".');
  return async (params, context) => {
    const address = readAddress(params.url);
    const message = withoutControls(params.message);
    const action = await confirm({ message, address, params }, context);
    if (action !== 'accept') return { action };
    if (context.signal.aborted) return { action: 'cancel' };
    try {
      await open(address.href);
      return { action };
    } catch (error) {
      onFailed?.(error);
      return { action: 'cancel' };
    }
  };
}
