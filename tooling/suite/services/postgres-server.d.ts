// For tests in TypeScript: their tsconfig does not include this folder.

export declare class PostgresProcess {
  get url(): string;
  create(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
}
