import { printable } from '@tenon/mcp-session/internal';
import type { SignInSubject } from '../client/interaction.js';
import type { NoBrowser } from './browser.js';

/** What a user may have to be told when he is to sign in. */
export interface SignInNotice {
  /** The page to open; what a user is shown, and what is logged nowhere, since it is for him alone. */
  readonly url: string;
  readonly subject: SignInSubject;
  /** A browser is being opened; false where the user has to open the page. */
  readonly isOpening: boolean;
  /** All of this in words, the address on a line of its own. */
  readonly text: string;
}

/** What is known when a user is sent to sign in. */
export interface NoticeFacts {
  readonly url: string;
  readonly subject: SignInSubject;
  /** Where the page leads back to, on this machine. */
  readonly port: number;
  /** Undefined where a browser is being opened. */
  readonly without: NoBrowser | 'failed' | 'unwanted' | undefined;
}

const longestName = 200;

/** Puts into words where the user signs in. */
export function signInNotice({ url, subject, port, without }: NoticeFacts): SignInNotice {
  const purpose = `To sign in for ${String(printable(subject.resource)).slice(0, longestName)}`;
  const isOpening = without === undefined;
  const words = isOpening
    ? `${purpose}, go on in the browser. If it shows no page to sign in, open this one on this machine:`
    : `${start(without)}${purpose}, open this page in a browser on this machine:`;
  const elsewhere =
    without === 'ssh'
      ? `\nThe page leads back to port ${port} of this machine. If the browser is on another one, forward that first: ssh -L ${port}:127.0.0.1:${port} ...`
      : '';
  return { url, subject, isOpening, text: `${words}\n${url}${elsewhere}` };
}

function start(without: NonNullable<NoticeFacts['without']>): string {
  return without === 'failed' ? 'No browser could be opened. ' : '';
}
