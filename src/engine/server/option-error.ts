/** Has the message of kube-apiserver, if there is one. */
export class OptionError extends Error {}
