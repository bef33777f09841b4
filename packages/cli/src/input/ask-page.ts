import type { OnElicitUrl } from '@tenon/mcp-client';
import { consentToUrl } from '@tenon/mcp-client/ui';
import type { Prompter } from './prompter.js';

/** The dependencies of {@link askPage}. */
export interface PageQuestion {
  readonly prompter: () => Promise<Prompter>;
  readonly nameOf: (server: { readonly name: string } | undefined) => string;
  /** Opens an address in the user's browser. */
  readonly open: (href: string) => Promise<void>;
}

/** Returns the handler that shows the whole address of a page, and opens it after consent. */
export function askPage({ prompter, nameOf, open }: PageQuestion): OnElicitUrl {
  return (params, context) => {
    let isOpenedByUser = false;
    const handler = consentToUrl({
      async confirm({ message, address }, { server }) {
        const { say, choice } = await prompter();
        const warnings = address.warnings.map(({ text }) => `Warning: ${text}`);
        say(
          [`${nameOf(server)} asks you to visit a page:`, message, '', address.href, ...warnings].join('\n'),
        );
        const answer = await choice<'open' | 'self' | 'decline' | 'cancel'>({
          message: `Open the page at ${address.host}?`,
          choices: [
            { value: 'decline', label: 'Decline' },
            { value: 'open', label: 'Open it in the browser' },
            { value: 'self', label: 'I have opened it myself' },
            { value: 'cancel', label: 'Cancel', hint: 'without an answer' },
          ],
        });
        isOpenedByUser = answer === 'self';
        if (answer === 'open' || answer === 'self') return 'accept';
        return answer ?? 'cancel';
      },
      open: (href) => (isOpenedByUser ? undefined : openOrTell(href)),
    });
    const openOrTell = async (href: string): Promise<void> => {
      const { say } = await prompter();
      await open(href).catch(() => say(`No browser can be opened here. Open the page yourself:\n${href}`));
    };
    return handler(params, context);
  };
}
