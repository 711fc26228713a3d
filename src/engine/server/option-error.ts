/** An invalid option, with the message of kube-apiserver. */
export class OptionError extends Error {}
