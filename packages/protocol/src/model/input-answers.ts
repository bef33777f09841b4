/** The answers and the state that a repeated call sends. */
export interface InputAnswers {
  readonly inputResponses?: { readonly [key: string]: unknown };
  readonly requestState?: string;
}
