import type { FormContext, HostInput, InputContext, PageContext } from '@tenon/mcp-host';
import { type Model, sampleWith } from '@tenon/mcp-host/models';
import { askForm, askPage } from '../../input/ask-user.js';
import { type Prompter, prompterOf } from '../../input/prompter.js';
import type { Screen } from '../screen/screen.js';
import { shortLine } from '../screen/shown-text.js';
import { samplingReview } from './sampling-review.js';

/** Returns the functions that answer input requests of servers: with the user at the terminal, or with a refusal where there is none. */
export function inputFunctions(screen: Screen, model: Model): HostInput {
  const { terminal } = screen;
  const asked = <T>(
    context: InputContext,
    { refused, what }: { readonly refused: T; readonly what: string },
    ask: (prompter: Prompter) => Promise<T>,
  ): Promise<T> => {
    const { signal } = context;
    if (terminal.isInteractive)
      return screen.ask(async () => ask(await prompterOf(terminal, signal)), signal);
    screen.note(`${requesterOf(context)} requests ${what}: refused, because nobody can be asked here.`);
    return Promise.resolve(refused);
  };
  return {
    onElicit: (params, context: FormContext) =>
      asked(
        context,
        { refused: { action: 'decline' }, what: `input ("${shortLine(params.message, 200)}")` },
        (prompter) =>
          askForm(params, { server: requesterOf(context), prompter, secretFields: context.secretFields }),
      ),
    onElicitUrl: (params, context: PageContext) =>
      asked(
        context,
        { refused: { action: 'decline' }, what: `a visit to ${context.address.host}` },
        async (prompter) => {
          const { openInBrowser } = await import('@tenon/mcp-auth/desktop');
          const open = async (url: string) => (terminal.source.openUrl ?? openInBrowser)(url);
          const handler = askPage({
            prompter: async () => prompter,
            nameOf: () => requesterOf(context),
            open,
          });
          return handler(params, { signal: context.signal, server: context.info });
        },
      ),
    onSample: sampleWith(model),
    reviewSampling: samplingReview(screen, model, requesterOf),
  };
}

/** Returns the server by its name in the host, and the tool that was called. */
function requesterOf({ server, tool }: InputContext): string {
  return tool === undefined ? server : `${server} (${shortLine(tool, 60)})`;
}
