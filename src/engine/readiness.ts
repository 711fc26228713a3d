/**
 * Whether the server is ready: bootstrap runs once before the first request, and again with the
 * next one if it fails.
 */

/**
 * A class, so that every request calls the same function for all servers: JavaScript engines
 * optimize for that.
 */
export class Readiness {
  private isReached = false
  private underWay: Promise<void> | undefined

  /** @param reach makes what requests need */
  constructor(private readonly reach: () => Promise<void>) {}

  /** Resolves when requests can be served; undefined: they can. @throws what `reach` does */
  pending(): Promise<void> | undefined {
    return this.isReached ? undefined : this.reached()
  }

  /** @throws what `reach` does */
  reached(): Promise<void> {
    this.underWay ??= this.reach().then(
      () => {
        this.isReached = true
      },
      (error: unknown) => {
        // A shared store may be back by the next request.
        this.underWay = undefined
        throw error
      },
    )
    return this.underWay
  }
}
