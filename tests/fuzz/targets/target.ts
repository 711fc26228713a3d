/** What a fuzz target is: a property of one reader, and what must hold of every reader whatever it is given. */
import type fc from 'fast-check'

export interface FuzzTarget {
  name: string
  /** What is fuzzed, in a few words. */
  what: string
  /** Runs of the short form, which the unit tests do. */
  short: number
  property: fc.IRawProperty<unknown, true> | fc.IRawProperty<unknown, false>
}

/** Names that objects inherit, or that have a meaning in JavaScript, next to ordinary ones. */
export const NAMES = [
  'a',
  'b',
  'metadata',
  'spec',
  '',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '0',
  '-',
  '~0',
  'a/b',
  'a.b',
]

/**
 * Runs a reader.
 * @param errors what it may throw: errors by which it reports what is wrong with what it was given
 * @returns its result; undefined where it rejected
 * @throws Error for any other failure, and for prototypes that have got a member
 */
export function read<Result>(
  run: () => Result,
  errors: readonly (abstract new (...args: never[]) => unknown)[],
): Result | undefined {
  try {
    return run()
  } catch (error) {
    if (!errors.some((kind) => error instanceof kind)) throw error
    const { message } = error as { message?: unknown }
    if (typeof message !== 'string' || message === '') throw new Error('an error without a message')
    return undefined
  } finally {
    checkPrototypes()
  }
}

/** @throws Error if any object has got a member that it was not given */
export function checkPrototypes(): void {
  for (const prototype of [Object.prototype, Array.prototype, Function.prototype, String.prototype])
    for (const name in prototype)
      throw new Error(`${prototype.constructor.name}.prototype has got a member ${name}`)
}

/** So many levels, written without taking the stack. */
export function nested(open: string, close: string, levels: number, middle: string): string {
  return open.repeat(levels) + middle + close.repeat(levels)
}
