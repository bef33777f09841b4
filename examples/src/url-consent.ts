// A client whose user decides which pages open, for both ways a server may send the user to one.
import { connect, type OnElicitUrl, RemoteUrlElicitationError, textOf } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { consentToUrl } from '@tenon/mcp-client/ui';
import { createServer, UrlElicitationRequiredError } from '@tenon/mcp-server';

const visited = new Set<string>();
const server = createServer({ name: 'drive', version: '1.0.0' })
  .tool('connect_drive', {}, (_, ctx) =>
    ctx.elicitUrl('drive', { message: 'Connect your drive.', url: 'https://drive.example/connect' }),
  )
  .tool('files', {}, () => {
    const url = 'https://drive.example/sign-in';
    if (!visited.has(url))
      throw new UrlElicitationRequiredError([{ message: 'Sign in.', url, elicitationId: 'sign-in-1' }]);
    return 'holiday.jpg';
  });

/** Stands in for a dialogue: a person reads the lines and picks an answer. */
const answers = ['decline', 'accept', 'accept'] as const;
let asked = 0;
const dialogue = async (lines: readonly string[]) => {
  console.log(lines.join(' | '));
  return answers[asked++] ?? 'cancel';
};
/** Stands in for the browser, which is given the address as one argument and never through a shell. */
const openBrowser = async (href: string) => void visited.add(href);

// #region consent
const onElicitUrl: OnElicitUrl = consentToUrl({
  confirm: ({ message, address }, { server }) =>
    dialogue([
      `${server?.name} says: ${message}`,
      `${address.before}[${address.host}]${address.after}`,
      ...address.warnings.map(({ text }) => text),
    ]),
  open: openBrowser,
});
// #endregion

const info = { name: 'assistant', version: '1.0.0' };
const client = await connect<typeof server>(memoryTarget(server), { info, onElicitUrl });
for (let attempt = 1; attempt <= 2; attempt++) {
  const { content } = await client.callTool('connect_drive');
  console.log('the user chose:', textOf(content));
}
await client.close();

const revision = '2025-11-25';
const older = await connect<typeof server>(memoryTarget(server), { info, onElicitUrl, revision });
// #region required
// In 2025-11-25 a server may refuse a call until pages were visited. Nothing opens or repeats by itself.
const files = () => older.callTool('files').then(({ content }) => textOf(content));
const shown = await files().catch(async (error: unknown) => {
  if (!(error instanceof RemoteUrlElicitationError)) throw error;
  for (const page of error.elicitations)
    await onElicitUrl(page, { server: older.server, signal: AbortSignal.timeout(60_000) });
  return files();
});
// #endregion
console.log('files:', shown);
await older.close();
