/**
 * An editor tells each text that was typed, and is given it back when the page has been drawn anew. By then more may have been typed:
 * a text that comes back late must not take its place, one from elsewhere must.
 *
 *     typed "a", told; typed "ab", told; given "a": late; given "ab": the editor's own; given "x": from elsewhere
 */
export class EchoGuard {
  /** Those that did not come back yet, oldest first. */
  private pending: string[] = []

  /**
   * What was typed now.
   * @param given what the editor was given last
   * @returns whether it is to be told: whoever listens does not know it
   */
  isNew(typed: string, given: string): boolean {
    if (typed === (this.pending.at(-1) ?? given)) return false
    this.pending.push(typed)
    return true
  }

  /**
   * @param given what the editor is given now
   * @param shown what it shows
   * @returns whether that may stay: they are the same, or what is given was typed in it and more since
   */
  isEcho(given: string, shown: string): boolean {
    const at = given === shown ? this.pending.length : this.pending.indexOf(given)
    // Those told before it were passed over: the page is drawn less often than one types.
    this.pending = at < 0 ? [] : this.pending.slice(at + 1)
    return at >= 0
  }
}
