/**
 * An editor reports typed text, and gets it back at the next render, possibly after more typing. A
 * late echo must not replace the text; a change from elsewhere must.
 *
 *     typed "a"; typed "ab"; given "a": late echo; given "ab": echo; given "x": from elsewhere
 */
export class EchoGuard {
  /** Reported texts without echo yet, oldest first. */
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
   * @param given the new text of the render
   * @param shown the editor's text
   * @returns whether the shown text may stay
   */
  isEcho(given: string, shown: string): boolean {
    const at = given === shown ? this.pending.length : this.pending.indexOf(given)
    // Renders are less frequent than keys: earlier echoes were skipped.
    this.pending = at < 0 ? [] : this.pending.slice(at + 1)
    return at >= 0
  }
}
