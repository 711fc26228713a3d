/** The message is that of kube-apiserver, if it has one. */
export class OptionError extends Error {}
