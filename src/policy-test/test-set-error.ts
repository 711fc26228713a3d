/**
 * An invalid test set, or one whose cluster cannot be created. The message has position and reason.
 */
export class TestSetError extends Error {}
