/** A part of the output of a program. */
export interface Line {
  /** Seconds since the start of the program. */
  at: number
  text: string
  isError: boolean
}
