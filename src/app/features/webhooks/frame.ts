/**
 * The document in which handlers run: an opaque-origin frame whose policy permits messages only.
 * Neither the page nor its storage is reachable. The policy of the page also applies and permits
 * its script.
 */
import script from 'virtual:handler-frame'

/**
 * The frame loads nothing and sends nothing; its scripts are this text and workers built from text.
 */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:"

export const frameText = (): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>${script}</script>`
