/** With kube-apiserver's message. */
export class OptionError extends Error {}
