import type { ClientCapabilities, Implementation } from '@tenon/mcp-protocol';

/** Returns the problem of a peer info that is too large to be stored; undefined if its size is allowed. */
export function introductionProblem(said: object, limit: number): string | undefined {
  const { length } = JSON.stringify(said);
  return length > limit
    ? `What is said of oneself may have ${limit} characters of JSON in all, not ${length}.`
    : undefined;
}

/** Returns the known members of a peer's info; others are not stored. */
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

/** Returns the known members of a client's capabilities in a handshake, without extensions. */
export function knownCapabilities(capabilities: ClientCapabilities): ClientCapabilities {
  const { experimental, roots, sampling, elicitation, tasks } = capabilities;
  return {
    ...(experimental !== undefined && { experimental }),
    ...(roots !== undefined && { roots }),
    ...(sampling !== undefined && { sampling }),
    ...(elicitation !== undefined && { elicitation }),
    ...(tasks !== undefined && { tasks }),
  };
}
