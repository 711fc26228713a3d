/** The types of command line flags, and how a table declares one. */

/** The type of a flag, as `--help` prints it. A repeated `strings` flag adds to the list. */
export type FlagType = 'string' | 'strings' | 'boolean' | 'onOff' | 'int' | 'float' | 'duration'

export interface FlagValue {
  string: string
  /** Comma-separated. */
  strings: string[]
  boolean: boolean
  /** `on` or `off`. */
  onOff: boolean
  int: number
  float: number
  /** Milliseconds. */
  duration: number
}

export interface Flag<
  T extends FlagType = FlagType,
  Default extends FlagValue[T] | undefined = FlagValue[T] | undefined,
> {
  type: T
  /** The value of an absent flag; undefined where absence itself has a meaning. */
  default: Default
  help: string
  /** The engine supports only the default: any other value is an error rather than ignored. */
  fixed: boolean
}

export const flag = <T extends FlagType>(
  type: T,
  byDefault: FlagValue[T],
  help: string,
): Flag<T, FlagValue[T]> => ({ type, default: byDefault, help, fixed: false })
export const optional = <T extends FlagType>(
  type: T,
  help: string,
): Flag<T, FlagValue[T] | undefined> => ({
  type,
  default: undefined,
  help,
  fixed: false,
})
export const fixed = <T extends FlagType>(
  type: T,
  byDefault: FlagValue[T],
  help: string,
): Flag<T, FlagValue[T]> => ({ type, default: byDefault, help, fixed: true })
