// For tests in TypeScript: their tsconfig does not include this folder.

export declare class PostgresProcess {
  get url(): string;
  create(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
  psql(text: string): Promise<string>;
}
