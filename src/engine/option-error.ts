/** Options that no server can be made of; the message is the real server's where it has one. */
export class OptionError extends Error {}
