// A database that the server opens before its first request and closes after its last one.
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { z } from 'zod';

/** Stands for your database client, such as a pool of connections. */
class Database {
  readonly #stock = new Map([['tea', 3]]);
  #open = true;

  static async open(): Promise<Database> {
    return new Database();
  }

  async add(article: string, count: number): Promise<number> {
    if (!this.#open) throw new Error('The database is closed');
    const stock = (this.#stock.get(article) ?? 0) + count;
    this.#stock.set(article, stock);
    return stock;
  }

  async close(): Promise<void> {
    this.#open = false;
  }
}

export const database = await Database.open(); // one for all clients

export const server = createServer({ name: 'shop', version: '1.0.0' }).tool(
  'add_stock',
  {
    description: 'Adds articles to the stock',
    input: z.object({ article: z.string(), count: z.number().int() }),
    output: z.object({ stock: z.number() }),
  },
  async ({ article, count }) => ({ stock: await database.add(article, count) }),
);

export const serving = await serveHttp(server, { port: Number(process.env.PORT ?? 3000) });
console.error(serving.url);

export async function stop(): Promise<void> {
  await serving.close(); // running calls finish first
  await database.close();
}
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
