/** A line of the output of a simulated program. */
export interface Line {
  /** Seconds since the start of the program. */
  at: number
  text: string
  isError: boolean
}
