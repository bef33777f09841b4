import { type InputRequestContext, type OnElicitUrl, RemoteUrlElicitationError } from '@tenon/mcp-client';

/** The handler of pages, and its context. */
export interface Pages {
  readonly onPage: OnElicitUrl | undefined;
  readonly context: InputRequestContext;
}

/**
 * Runs a call. If the server rejects it until the user has visited pages, as 2025-11-25 allows, shows the pages and calls once more.
 * @throws the error of the server if the user does not accept all of them.
 */
export async function withPages<T>(call: () => Promise<T>, { onPage, context }: Pages): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof RemoteUrlElicitationError) || onPage === undefined) throw error;
    for (const page of error.elicitations) {
      const { action } = await onPage(page, context);
      if (action !== 'accept') throw error;
    }
    return call();
  }
}
