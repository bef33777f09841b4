/** A listener for messages of channels. */
export type ChannelListener = (text: string, channel: string) => void;

/** An open client of Redis: one connection, or those to the nodes of a cluster. It opens no connection again. */
export interface Wire {
  /** True if commands may still succeed after a connection was lost, because other nodes answer. */
  readonly partial: boolean;
  /** Sends a command to the node of its key. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  /** Sends a message to the subscribers of a channel. */
  publish(channel: string, text: string): Promise<unknown>;
  /** Resolves when the node has all subscriptions. */
  subscribe(channels: readonly string[], listener: ChannelListener): Promise<void>;
  unsubscribe(channel: string, listener: ChannelListener): Promise<void>;
  /** Resolves when every node that is in use has answered. */
  ping(): Promise<void>;
  /** Closes all connections. Commands that wait are rejected. */
  destroy(): void;
}

export interface WireOwner {
  /** Called when a connection of the wire is lost, also while the wire is being opened. */
  readonly onLost: (cause: Error) => void;
  /** Aborts opening. */
  readonly signal: AbortSignal;
}

/** Opens a wire. Rejects if Redis cannot be reached. */
export type OpenWire = (owner: WireOwner) => Promise<Wire>;
