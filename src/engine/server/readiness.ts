/** Bootstrap runs before the first request; after an error before the next. */

/** A class, so that all servers share one function, which engines optimize. */
export class Readiness {
  private isReached = false
  private underWay: Promise<void> | undefined

  constructor(private readonly reach: () => Promise<void>) {}

  /** undefined if requests can be served. @throws the error of `reach` */
  pending(): Promise<void> | undefined {
    return this.isReached ? undefined : this.reached()
  }

  reached(): Promise<void> {
    this.underWay ??= this.reach().then(
      () => {
        this.isReached = true
      },
      (error: unknown) => {
        // A shared store may be available at the next request.
        this.underWay = undefined
        throw error
      },
    )
    return this.underWay
  }
}
