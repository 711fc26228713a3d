/**
 * A scenario on its way to the workspace that it opens in. The page is loaded again there, and browsers load no address of more than
 * one or two million signs, which a scenario from a file may have. So it goes in the window's name, which stays while pages of one
 * site follow each other; anybody may give a window a name, so what comes in it is asked about as a link is.
 */

/** @param hash as behind `#`; empty: nothing is on its way any more */
export function stash(hash: string): void {
  window.name = hash
}

/** @returns what may be a scenario; empty: the window is called otherwise, or not at all */
export function unstash(): string {
  return /^#?k\d+=/.test(window.name) ? window.name : ''
}
