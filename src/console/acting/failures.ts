import { CommandError, ManyErrors, StatusError } from '../errors'

export class Failures {
  private readonly errors: Error[] = []
  /** Failed lookups are reported together. */
  private readonly lookups: Error[] = []

  /** Records a failure of the command; rethrows other errors. */
  async during(action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof CommandError)) throw error
      this.errors.push(error)
    }
  }

  add(error: Error): void {
    this.errors.push(error)
  }

  addLookup(error: Error): void {
    this.lookups.push(error)
  }

  /** @throws the first failure, for commands that need all objects */
  throwFirst(): void {
    const [first] = [...this.errors, ...this.lookups]
    if (first !== undefined) throw first
  }

  /**
   * @param lookups `first` reports missing objects before failed actions
   * @throws the failure, or all together
   */
  throwIfAny(lookups: 'first' | 'last' = 'last'): void {
    const [only, ...others] = this.lookups
    const found = only === undefined ? [] : others.length === 0 ? [only] : [joined(this.lookups)]
    const all = lookups === 'first' ? [...found, ...this.errors] : [...this.errors, ...found]
    if (all.length === 1) throw all[0]
    if (all.length > 1) throw new ManyErrors(all)
  }
}

const joined = (errors: Error[]): CommandError =>
  new CommandError(`[${errors.map(({ message }) => message).join(', ')}]`)
