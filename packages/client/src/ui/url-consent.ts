import { type ElicitResult, type ElicitUrlParams, withoutControls } from '@tenon/mcp-protocol';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { AskContext } from '../asks.js';
import type { OnElicitUrl } from '../features/elicitation.js';
import { type PageAddress, readAddress } from './page-address.js';

/** What to ask the user before a page is opened. */
export interface UrlQuestion {
  /** Why the server wants it, in its own words without control characters: plain text, in which nothing is to be clicked. */
  readonly message: string;
  /** Where it leads: show all of it, the host so that it stands out, and the warnings. */
  readonly address: PageAddress;
  readonly params: ElicitUrlParams;
}

/** How consent to open a page is had, and how it is opened. */
export interface UrlConsent {
  /** Asks the user, naming `context.server`. `decline` is a no, `cancel` a dialogue that was closed without an answer. */
  readonly confirm: (
    question: UrlQuestion,
    context: AskContext,
  ) => ElicitResult['action'] | Promise<ElicitResult['action']>;
  /**
   * Opens the address in the user's own browser, out of sight of this program and of models. Pass it to a program as one
   * argument; never make it part of a shell's command line.
   */
  readonly open: (href: string) => unknown;
  /** Hears why a page could not be opened: the server is told `cancel`. */
  readonly onFailed?: (error: unknown) => void;
}

/**
 * Makes the handler for elicitation by URL: asks first, with the whole address, and opens it only upon `accept`. Nothing of
 * the page is fetched at any time.
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
