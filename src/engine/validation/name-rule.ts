/**
 * Checks a name. A `prefix` is the value of generateName.
 * @returns one message per rule that the name breaks, without the path
 */
export type NameRule = (name: string, prefix: boolean) => string[]
