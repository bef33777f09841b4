/** Thrown by a check that would take more steps than allowed. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';

  constructor() {
    super('checking a value took too many steps');
  }
}
