import type { Interaction } from '@tenon/mcp-auth/client';

/** Somebody who signs in without being asked anything, and what was opened. */
export interface Browser extends Interaction {
  readonly opened: readonly URL[];
}

/** How a browser behaves. */
export interface BrowserOptions {
  /** Changes the address the user is sent back to. */
  readonly back?: (address: URL) => URL;
  readonly redirectUri?: string;
  readonly applicationType?: 'native' | 'web';
}

/** A browser that goes where it is sent and takes the first redirect for the way back. */
export function browser(options: BrowserOptions = {}): Browser {
  const { back = (address) => address, applicationType = 'native' } = options;
  const { redirectUri = 'http://127.0.0.1:3000/callback' } = options;
  const opened: URL[] = [];
  const authorize = async ({ url }: { readonly url: URL }) => {
    opened.push(url);
    const response = await fetch(url, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`The page at ${url.origin} leads nowhere: ${await response.text()}`);
    return back(new URL(location));
  };
  return {
    opened,
    redirectUris: [redirectUri],
    applicationType,
    begin: () => ({ redirectUri, authorize, end: () => {} }),
  };
}
