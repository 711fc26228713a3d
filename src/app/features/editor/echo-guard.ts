/**
 * An editor reports typed text and gets it back at the next render, when the user may have typed
 * more. A late echo must not replace the text; a text from elsewhere must.
 *
 *     typed "a"; typed "ab"; given "a": late echo; given "ab": echo; given "x": from elsewhere
 */
export class EchoGuard {
  /** Texts without an echo yet, oldest first. */
  private pending: string[] = []

  /** @returns whether the typed text must be reported */
  isNew(typed: string, given: string): boolean {
    if (typed === (this.pending.at(-1) ?? given)) return false
    this.pending.push(typed)
    return true
  }

  /** @returns whether the shown text stays: it equals the given one, or was typed after it */
  isEcho(given: string, shown: string): boolean {
    const at = given === shown ? this.pending.length : this.pending.indexOf(given)
    this.pending = at < 0 ? [] : this.pending.slice(at + 1)
    return at >= 0
  }
}
