import type { ModelPreferences } from '@tenon/mcp-protocol';
import type { Model } from '../model.js';

/** A model that servers may sample, and how well it fulfils each priority, from 0 to 1. Default 0.5 each. */
export interface RatedModel {
  readonly model: Model;
  /** 1 for the cheapest. */
  readonly cost?: number;
  /** 1 for the fastest. */
  readonly speed?: number;
  /** 1 for the most capable. */
  readonly intelligence?: number;
}

const mostHints = 100;

/**
 * Returns the model that a server prefers: the first hint that is a part of a model's name selects the models with it; among them, or among all
 * if no hint matches, the priorities of the server decide, and at last the order of the list.
 */
export function chooseModel(
  models: readonly RatedModel[],
  { hints = [], costPriority = 0, speedPriority = 0, intelligencePriority = 0 }: ModelPreferences,
): Model | undefined {
  const score = ({ cost = 0.5, speed = 0.5, intelligence = 0.5 }: RatedModel) =>
    costPriority * cost + speedPriority * speed + intelligencePriority * intelligence;
  let candidates = models;
  for (const { name = '' } of hints.slice(0, mostHints)) {
    const hinted = models.filter(({ model }) => model.name.toLowerCase().includes(name.toLowerCase()));
    if (name === '' || hinted.length === 0) continue;
    candidates = hinted;
    break;
  }
  const [first, ...others] = candidates;
  return others.reduce((best, one) => (best && score(best) >= score(one) ? best : one), first)?.model;
}
