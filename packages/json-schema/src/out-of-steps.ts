/** Thrown by a check that would take longer than it may. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';

  constructor() {
    super('checking a value took too many steps');
  }
}
