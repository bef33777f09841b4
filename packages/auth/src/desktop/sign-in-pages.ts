/** The pages that the browser shows after a sign-in, as whole HTML documents. They may contain styles and images, but no scripts. */
export interface SignInPages {
  /** The sign-in succeeded. */
  readonly signedIn: string;
  /** The user or the authorization server denied access. */
  readonly refused: string;
  /** The sign-in failed; the program has the error. */
  readonly failed: string;
}

/** Returns the default pages with the name of a program. */
export function signInPages(program: string): SignInPages {
  const name = escaped(program);
  return {
    signedIn: page('You are signed in', `You can close this tab and go back to ${name}.`),
    refused: page(
      'Access was refused',
      `${name} has no access. You can close this tab. If you change your mind, sign in again from ${name}.`,
    ),
    failed: page(
      'Signing in did not work',
      `You can close this tab. ${name} shows the reason; go back there to try again.`,
    ),
  };
}

/** The page for a response without a sign-in. */
export const strayPage: string = page(
  'This sign-in is over',
  'No sign-in waits for this page; it may be finished or cancelled. You can close this tab.',
);

/** Headers of a page that loads nothing, runs no script, is not cached, and is not shown in frames. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
