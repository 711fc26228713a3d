/** Invalid options; the message is kube-apiserver's where it has one. */
export class OptionError extends Error {}
