/**
 * Passes a scenario across a page load. Addresses are limited to one or two million characters;
 * `window.name` is not, and survives navigation within a site. Any site can set it, so its contents
 * need a confirmation like a link.
 */

/** @param hash without `#`; empty clears the transfer */
export function stash(hash: string): void {
  window.name = hash
}

/** @returns the transferred scenario; empty without one */
export function unstash(): string {
  return /^#?k\d+=/.test(window.name) ? window.name : ''
}
