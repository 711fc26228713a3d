/** A text that is no time, quantity or base64; the message is the real server's. */
export class FormatError extends Error {}
