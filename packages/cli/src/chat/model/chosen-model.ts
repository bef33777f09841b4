import { anthropicModel, type Model, openAiModel, scriptedModel } from '@tenon/mcp-host/models';
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
  openai: { create: openAiModel, host: 'api.openai.com', variable: 'OPENAI_API_KEY' },
  anthropic: { create: anthropicModel, host: 'api.anthropic.com', variable: 'ANTHROPIC_API_KEY' },
} as const;

/**
 * Returns the model of a conversation. The key of a provider goes to that provider only; other addresses receive that of `TENON_MODEL_KEY`.
 * @throws WorkbenchError `usage` if no model is named, a key is missing, or the address is malformed.
 */
export function chosenModel(choice: ModelChoice, env: Readonly<Record<string, string | undefined>>): Model {
  const { model, baseUrl, provider = providerOf(model), maxTokens, demo } = choice;
  if (demo) return scriptedModel();
  if (model === undefined)
    throw new WorkbenchError('usage', 'No model is named.', {
      hint: `Write --model NAME, with the key in the environment, or --model NAME --base-url http://127.0.0.1:11434/v1 for a local one. "tenon chat --demo" needs neither.`,
    });
  const { create, host, variable } = providers[provider];
  const isOwn = baseUrl === undefined || hostOf(baseUrl) === host;
  const key = textOr(env[keyVariable]) ?? (isOwn ? textOr(env[variable]) : undefined);
  if (isOwn && key === undefined)
    throw new WorkbenchError('usage', `There is no key for the model "${model}".`, {
      hint: `Set ${variable} or ${keyVariable} in the environment. A key is never an argument: other users of this machine can read those.`,
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

function hostOf(url: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return new URL(url).hostname;
  throw new WorkbenchError('usage', `"${url}" is not a URL of a model.`, {
    hint: 'It begins with https://, or with http:// for this machine.',
  });
}

function textOr(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
