/** Background commands of a shell, numbered from 1 as `$!`. */

/** `ends` is undefined if the command runs forever. */
export interface Job {
  ends: number | undefined
  code: number
}

export class Jobs {
  private readonly jobs: Job[] = []

  get last(): number {
    return this.jobs.length
  }

  add(job: Job): void {
    this.jobs.push(job)
  }

  /** Without numbers: all. Unknown numbers are undefined. */
  named(numbers: readonly string[]): readonly (Job | undefined)[] {
    return numbers.length > 0 ? numbers.map((one) => this.jobs[Number(one) - 1]) : this.jobs
  }
}
