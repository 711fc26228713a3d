/**
 * Passes a scenario to the workspace that it opens in, across a page load. Browsers limit addresses
 * to one or two million characters, which a scenario from a file can exceed. `window.name` has no
 * such limit and survives navigation within a site. Any site can set it, so its contents need a
 * confirmation like a link.
 */

/** @param hash as behind `#`; empty: nothing is on its way any more */
export function stash(hash: string): void {
  window.name = hash
}

/** @returns what may be a scenario; empty: the window is called otherwise, or not at all */
export function unstash(): string {
  return /^#?k\d+=/.test(window.name) ? window.name : ''
}
