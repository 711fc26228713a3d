/**
 * The document in which handlers run: a frame of no origin, so that neither the page nor anything it keeps can be reached, with a
 * policy that lets nothing in or out but messages. It is bound by the page's own policy too, which knows its script.
 */
import script from 'virtual:handler-frame'

/**
 * The frame loads nothing and sends nothing; its scripts are this text and workers built from text.
 */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:"

export const frameText = (): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>${script}</script>`
