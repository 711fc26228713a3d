/** An invalid time, quantity or base64; the message is kube-apiserver's. */
export class FormatError extends Error {}
