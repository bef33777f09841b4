/** Resolves a host name to all its addresses. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** The resolver of the operating system. Node only. */
export const systemLookup: Lookup = async (hostname) => {
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};
