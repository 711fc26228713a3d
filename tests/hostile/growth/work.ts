/**
 * Counts the work of a request without a clock: how often each block of code runs (V8's precise
 * coverage), and how many elements and characters built-in functions pass over, which coverage does
 * not see. Iterators are replaced by counted code, so that spreads of lists, maps and sets show. The
 * same request always costs the same.
 */
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'

type Sized = { readonly length: number }
/** What one call passes over. */
type Cost = (self: Sized, given: readonly unknown[], result: unknown) => number

const whole: Cost = (self) => self.length
const result: Cost = (_self, _given, made) => (made as Sized).length
const text: Cost = (_self, _given, made) => (typeof made === 'string' ? made.length : 0)
const argument: Cost = (_self, [given]) => (typeof given === 'string' ? given.length : 0)
/** A search from a place to what it finds, or to the end. */
const searched: Cost = (self, [, from = 0], at) =>
  (typeof at === 'number' && at >= 0 ? at + 1 : self.length) - Number(from)
const backward: Cost = (self, _given, at) => self.length - Math.max(0, Number(at))
const contained: Cost = (self, given) =>
  searched(self, given, (self as unknown as unknown[]).indexOf(...(given as [unknown])))

/** Built-in functions whose time grows with what they are called on. */
const LINEAR: [object, Record<string, Cost>][] = [
  [
    Array.prototype,
    {
      ...{
        includes: contained,
        indexOf: searched,
        lastIndexOf: backward,
        concat: result,
        slice: result,
        flat: result,
      },
      ...{ splice: whole, shift: whole, unshift: whole, join: whole, reverse: whole, fill: whole },
    },
  ],
  [Array.prototype, { sort: whole, toSorted: whole, copyWithin: whole }],
  [
    String.prototype,
    {
      ...{
        includes: contained,
        indexOf: searched,
        lastIndexOf: backward,
        repeat: result,
        replaceAll: whole,
        split: whole,
      },
      ...{ trim: whole, toLowerCase: whole, match: whole },
      ...{ replace: whole, padEnd: result, codePointAt: () => 1 },
    },
  ],
  [Object, { keys: result, values: result, entries: result, getOwnPropertyNames: result }],
  [JSON, { stringify: text, parse: argument }],
  // Keys are hashed, and long ones only by their length.
  [Map.prototype, { get: argument, set: argument, has: argument }],
  [Set.prototype, { add: argument, has: argument }],
]

/** The iterators of lists, maps and sets, with the names under which programs reach them. */
const ITERATORS: [object, readonly (string | symbol)[]][] = [
  [Array.prototype, [Symbol.iterator, 'values', 'entries', 'keys']],
  [Map.prototype, [Symbol.iterator, 'entries', 'keys', 'values']],
  [Set.prototype, [Symbol.iterator, 'values', 'keys']],
  [String.prototype, [Symbol.iterator]],
]

/** Counts the steps of an iterator. */
class CountedIterator implements IterableIterator<unknown> {
  private readonly step: () => IteratorResult<unknown>

  constructor(
    iterator: Iterator<unknown>,
    private readonly count: () => void,
  ) {
    this.step = iterator.next.bind(iterator)
  }

  next(): IteratorResult<unknown> {
    this.count()
    return this.step()
  }

  [Symbol.iterator](): this {
    return this
  }
}

type Method = (this: { length: number }, ...given: unknown[]) => unknown
type Iterate = (this: unknown) => Iterator<unknown>

export class WorkCounter {
  private readonly session = new Session()
  private skippedWork = 0
  private readonly restore: (() => void)[] = []

  async start(): Promise<this> {
    this.session.connect()
    // Optimized code does not count the calls of a function.
    setFlagsFromString('--no-opt')
    await this.session.post('Profiler.enable')
    await this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    return this
  }

  async stop(): Promise<void> {
    await this.session.post('Profiler.stopPreciseCoverage')
    this.session.disconnect()
  }

  /** @returns blocks run, plus elements and characters passed over, plus characters of the response */
  async measure(run: () => Promise<string>): Promise<number> {
    await this.blocks()
    this.skippedWork = 0
    this.watchBuiltIns()
    let response: string
    try {
      response = await run()
    } finally {
      for (const restore of this.restore.splice(0)) restore()
    }
    return this.skippedWork + response.length + (await this.blocks())
  }

  /** Blocks run since the last call. */
  private async blocks(): Promise<number> {
    const { result } = await this.session.post('Profiler.takePreciseCoverage')
    let sum = 0
    for (const { functions, url } of result)
      if (!url.startsWith('node:'))
        for (const { ranges } of functions) for (const { count } of ranges) sum += count
    return sum
  }

  private watchBuiltIns(): void {
    let isCounting = false
    const count = (cost: () => number) => {
      // What finds out the cost is not counted itself.
      if (isCounting) return
      isCounting = true
      this.skippedWork += cost()
      isCounting = false
    }
    for (const [prototype, costs] of LINEAR) {
      const methods = prototype as Record<string, Method>
      for (const [name, cost] of Object.entries(costs)) {
        const original = methods[name] as Method
        methods[name] = function (...given) {
          const made = original.apply(this, given)
          count(() => cost(this, given, made))
          return made
        }
        this.restore.push(() => {
          methods[name] = original
        })
      }
    }
    for (const [prototype, names] of ITERATORS)
      for (const name of names) this.watchIterator(prototype, name)
  }

  private watchIterator(prototype: object, name: string | symbol): void {
    const original = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor
    const iterate = original.value as Iterate
    const count = () => {
      this.skippedWork++
    }
    Object.defineProperty(prototype, name, {
      ...original,
      value: function (this: unknown) {
        return new CountedIterator(iterate.call(this), count)
      },
    })
    this.restore.push(() => Object.defineProperty(prototype, name, original))
  }
}
