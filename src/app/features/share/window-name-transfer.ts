/**
 * Passes a scenario across a page load. Browsers limit addresses to one or two million characters;
 * `window.name` has no limit and survives navigation within a site. Any site can set it, so its
 * contents need a confirmation like a link.
 */

/** @param hash the fragment without `#`; an empty one clears the transfer */
export function stash(hash: string): void {
  window.name = hash
}

export function unstash(): string {
  return /^#?k\d+=/.test(window.name) ? window.name : ''
}
