/** The message has position and reason. */
export class TestSetError extends Error {}
