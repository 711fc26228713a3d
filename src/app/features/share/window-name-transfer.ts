/**
 * Passes a scenario to the workspace that it opens in, across a page load. Browsers limit addresses
 * to one or two million characters, which a scenario from a file can exceed. `window.name` has no
 * such limit and survives navigation within a site. Any site can set it, so its contents need a
 * confirmation like a link.
 */

/** @param hash the fragment without `#`; an empty one clears the transfer */
export function stash(hash: string): void {
  window.name = hash
}

/** @returns the transferred scenario; empty without one */
export function unstash(): string {
  return /^#?k\d+=/.test(window.name) ? window.name : ''
}
