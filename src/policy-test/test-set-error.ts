/** A test set that is not one, or whose cluster cannot be made; the message says where and why. */
export class TestSetError extends Error {}
