/** What the browser shows when a sign-in is over, as whole HTML documents. They may hold styles and images, but no scripts. */
export interface SignInPages {
  /** There are tokens. */
  readonly signedIn: string;
  /** The user, or the authorization server, said no. */
  readonly refused: string;
  /** Something went wrong; what that was is told to the program. */
  readonly failed: string;
}

/** Pages that name a program. */
export function signInPages(program: string): SignInPages {
  const name = escaped(program);
  return {
    signedIn: page('You are signed in', `You can close this tab and go back to ${name}.`),
    refused: page(
      'Access was refused',
      `${name} may not do what it asked for. You can close this tab; to change your mind, sign in again from there.`,
    ),
    failed: page(
      'Signing in did not work',
      `You can close this tab. ${name} knows why; go back there to try again.`,
    ),
  };
}

/** The page for a response that nobody waits for. */
export const strayPage: string = page(
  'Nobody waits for this',
  'This page belongs to no sign-in that is under way, perhaps because that is over. You can close this tab.',
);

/** A page that is what it is: it loads nothing, runs nothing, is kept by nobody and shown in no frame. */
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
