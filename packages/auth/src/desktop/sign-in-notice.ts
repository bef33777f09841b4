import { printable } from '@tenon/mcp-session/internal';
import { type DeviceCode, type SignInSubject, timeText } from '../oauth/interaction.js';
import { type NoBrowser, openableAddress } from './browser.js';

/** A message for a user who has to sign in. */
export interface SignInNotice {
  /** The URL to open. Show it only to the user, and do not log it. */
  readonly url: string;
  readonly subject: SignInSubject;
  /** The code that the user enters at the URL, for a sign-in on another device. */
  readonly userCode?: string;
  /** True if a browser is being opened; false if the user has to open the URL. */
  readonly isOpening: boolean;
  /** The message as text, with the URL on its own line. */
  readonly text: string;
}

export interface NoticeFacts {
  readonly url: string;
  readonly subject: SignInSubject;
  /** The port of the redirect URI on this machine. */
  readonly port: number;
  /** Undefined if a browser is being opened. */
  readonly without: NoBrowser | 'failed' | 'unwanted' | undefined;
}

const longestName = 200;

/** Returns the message for a user who has to sign in. */
export function signInNotice({ url, subject, port, without }: NoticeFacts): SignInNotice {
  const purpose = purposeOf(subject);
  const isOpening = without === undefined;
  const words = isOpening
    ? `${purpose}, continue in the browser. If it shows no sign-in page, open this URL on this machine:`
    : `${start(without)}${purpose}, open this URL in a browser on this machine:`;
  const elsewhere =
    without === 'ssh'
      ? `\nThe sign-in ends at port ${port} of this machine. If the browser is on another machine, forward the port first: ssh -L ${port}:127.0.0.1:${port} ...`
      : '';
  return { url, subject, isOpening, text: `${words}\n${url}${elsewhere}` };
}

/** Returns the message for a user who signs in on another device. @throws AuthError as {@link openableAddress} does. */
export function deviceNotice(
  { subject, userCode, verificationUri, verificationUriComplete, lifetime }: DeviceCode,
  allow?: readonly string[],
): SignInNotice {
  const page = openableAddress(verificationUri, allow);
  const complete = verificationUriComplete && openableAddress(verificationUriComplete, allow);
  const lines = [
    `${purposeOf(subject)}, open this URL on any device, and enter the code ${userCode}:`,
    page,
    ...(complete === undefined
      ? []
      : ['Or open this URL, and check that the page shows the same code:', complete]),
    `The code is valid for ${timeText(lifetime)}.`,
  ];
  return { url: complete ?? page, subject, userCode, isOpening: false, text: lines.join('\n') };
}

function purposeOf({ resource }: SignInSubject): string {
  return `To sign in for ${String(printable(resource)).slice(0, longestName)}`;
}

function start(without: NonNullable<NoticeFacts['without']>): string {
  return without === 'failed' ? 'No browser could be opened. ' : '';
}
