/** What a repeated call carries. */
export interface InputAnswers {
  readonly inputResponses?: { readonly [key: string]: unknown };
  readonly requestState?: string;
}
