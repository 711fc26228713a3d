export class Work {
  private count = 0

  constructor(private readonly changed: (working: boolean) => void = () => {}) {}

  begin(): void {
    if (this.count++ === 0) this.changed(true)
  }

  end(): void {
    if (--this.count === 0) this.changed(false)
  }

  /** Counts as work until `run` ends. */
  deferring(defer: (run: () => void) => void): (run: () => void) => void {
    return (run) => {
      this.begin()
      defer(() => {
        try {
          run()
        } finally {
          this.end()
        }
      })
    }
  }
}
