export class Work {
  private count = 0

  constructor(private readonly changed: (working: boolean) => void = () => {}) {}

  begin(): void {
    if (this.count++ === 0) this.changed(true)
  }

  end(): void {
    if (--this.count === 0) this.changed(false)
  }

  /** Runs something later through `defer`, and counts it as work until then. */
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
