import type { ClientCapabilities, Implementation } from '@tenon/mcp-protocol';

/** What is wrong with the size of what a peer says of itself; undefined for what may be kept as long as it is there. */
export function introductionFlaw(said: object, limit: number): string | undefined {
  const { length } = JSON.stringify(said);
  return length > limit
    ? `What is said of oneself may have ${limit} characters of JSON in all, not ${length}.`
    : undefined;
}

/** What of a peer's description is known here: whatever else it said is not kept. */
export function knownInfo(info: Implementation): Implementation {
  const { name, title, version, description, websiteUrl, icons } = info;
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons }),
  };
}

/** What of the capabilities a client declares in a handshake is known there; extensions are not. */
export function knownCapabilities(capabilities: ClientCapabilities): ClientCapabilities {
  const { experimental, roots, sampling, elicitation } = capabilities;
  return {
    ...(experimental !== undefined && { experimental }),
    ...(roots !== undefined && { roots }),
    ...(sampling !== undefined && { sampling }),
    ...(elicitation !== undefined && { elicitation }),
  };
}
