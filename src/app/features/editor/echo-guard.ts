/**
 * An editor reports each typed text, and gets it back at the next render. By then the user may have
 * typed more: a late echo must not replace it, a text from elsewhere must.
 *
 *     typed "a"; typed "ab"; given "a": late echo; given "ab": echo; given "x": from elsewhere
 */
export class EchoGuard {
  /** Those that did not come back yet, oldest first. */
  private pending: string[] = []

  /**
   * @param given the last text given to the editor
   * @returns whether the typed text must be reported
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
    // Renders are less frequent than keys: earlier echoes were skipped.
    this.pending = at < 0 ? [] : this.pending.slice(at + 1)
    return at >= 0
  }
}
