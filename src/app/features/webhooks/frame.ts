/**
 * The sandbox document: an opaque-origin frame without access to page and storage. The page's
 * policy also applies, and permits its script.
 */
import script from 'virtual:handler-frame'

/** Loads and sends nothing; its scripts are this text and blob workers. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:"

export const frameText = (): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>${script}</script>`
