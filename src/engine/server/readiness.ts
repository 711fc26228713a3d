/** Bootstrap runs before the first request, and again with the next one if it fails. */

/** A class, so that all servers share one hot function, which JavaScript engines optimize. */
export class Readiness {
  private isReached = false
  private underWay: Promise<void> | undefined

  constructor(private readonly reach: () => Promise<void>) {}

  /** undefined if requests can be served. @throws the error of `reach` */
  pending(): Promise<void> | undefined {
    return this.isReached ? undefined : this.reached()
  }

  /** @throws the error of `reach` */
  reached(): Promise<void> {
    this.underWay ??= this.reach().then(
      () => {
        this.isReached = true
      },
      (error: unknown) => {
        // A shared store may be available again at the next request.
        this.underWay = undefined
        throw error
      },
    )
    return this.underWay
  }
}
