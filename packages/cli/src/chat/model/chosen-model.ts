import { anthropicModel, type Model, openAiModel, scriptedModel } from '@tenon/mcp-host/models';
import { isHttpsOrLoopback, isUrl } from '@tenon/mcp-protocol/internal';
import { WorkbenchError } from '@tenon/mcp-workbench';

/** Options that choose a model. */
export interface ModelChoice {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly provider?: 'openai' | 'anthropic';
  readonly maxTokens?: number;
  readonly demo?: true;
}

const keyVariable = 'TENON_MODEL_KEY';

const providers = {
  openai: { create: openAiModel, origin: 'https://api.openai.com', variable: 'OPENAI_API_KEY' },
  anthropic: { create: anthropicModel, origin: 'https://api.anthropic.com', variable: 'ANTHROPIC_API_KEY' },
} as const;

/**
 * Returns the model of a conversation. The key of a provider goes to that provider only; other addresses receive that of `TENON_MODEL_KEY`, by https
 * or on this machine.
 * @throws WorkbenchError `usage` if no model is named, a key is missing, or the address is malformed.
 */
export function chosenModel(choice: ModelChoice, env: Readonly<Record<string, string | undefined>>): Model {
  const { model, baseUrl, provider = providerOf(model), maxTokens, demo } = choice;
  if (demo) return scriptedModel();
  if (model === undefined)
    throw new WorkbenchError('usage', 'No model is named.', {
      hint: `Write --model NAME, with the key in the environment, or --model NAME --base-url http://127.0.0.1:11434/v1 for a local one. "tenon chat --demo" needs neither.`,
    });
  const { create, origin, variable } = providers[provider];
  const address = baseUrl === undefined ? undefined : addressOf(baseUrl);
  const isOwn = address === undefined || address.origin === origin;
  const key = textOr(env[keyVariable]) ?? (isOwn ? textOr(env[variable]) : undefined);
  if (isOwn && key === undefined)
    throw new WorkbenchError('usage', `There is no key for the model "${model}".`, {
      hint: `Set ${variable} or ${keyVariable} in the environment. A key is never an argument: other users of this machine can read those.`,
    });
  if (key !== undefined && address !== undefined && !isHttpsOrLoopback(address))
    throw new WorkbenchError('usage', `The key is not sent to ${address.origin}, because it is not https.`, {
      hint: `Write an address with https://, or unset ${keyVariable} if the model needs no key.`,
    });
  return create({
    model,
    ...(key !== undefined && { key }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(maxTokens !== undefined && { maxTokens }),
  });
}

function providerOf(model: string | undefined): 'openai' | 'anthropic' {
  return model !== undefined && /^claude/i.test(model) ? 'anthropic' : 'openai';
}

function addressOf(url: string): URL {
  if (/^https?:\/\//i.test(url) && isUrl(url)) return new URL(url);
  throw new WorkbenchError('usage', `"${url}" is not a URL of a model.`, {
    hint: 'It begins with https://, or with http:// for this machine or a model without a key.',
  });
}

function textOr(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
