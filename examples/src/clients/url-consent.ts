// A client in which the user decides which pages open, for both ways in which a server can request that.
import { connect, type OnElicitUrl, RemoteUrlElicitationError, textOf } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { consentToUrl } from '@tenon/mcp-client/ui';
import { createServer, UrlElicitationRequiredError } from '@tenon/mcp-server';

const visited = new Set<string>();
const server = createServer({ name: 'drive', version: '1.0.0' })
  .tool('connect_drive', {}, async (_, ctx) => {
    const url = 'https://drive.example/connect';
    const { action } = await ctx.elicitUrl('drive', { message: 'Connect your drive.', url });
    return action;
  })
  .tool('files', {}, () => {
    const url = 'https://drive.example/sign-in';
    if (!visited.has(url))
      throw new UrlElicitationRequiredError([{ message: 'Sign in.', url, elicitationId: 'sign-in-1' }]);
    return 'holiday.jpg';
  });

/** In a real program, a dialogue: a person reads the lines and picks an answer. */
const answers = ['decline', 'accept', 'accept'] as const;
let asked = 0;
const dialogue = async (lines: readonly string[]) => {
  console.log(lines.join(' | '));
  return answers[asked++] ?? 'cancel';
};
/** In a real program, the browser, started with the address as one argument and without a shell. */
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
// In 2025-11-25 a server can reject a call until the user has visited pages.
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
