/**
 * Counts the work of a request without a clock: how often each block of code runs (V8's precise coverage), and how many elements
 * and characters built-in functions pass over, which coverage does not see. The same request always costs the same.
 */
import { Session } from 'node:inspector/promises'

type Sized = { readonly length: number }
/** What one call passes over. */
type Cost = (self: Sized, given: readonly unknown[], result: unknown) => number

const whole: Cost = (self) => self.length
const result: Cost = (_self, _given, made) => (made as Sized).length
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
    },
  ],
]

type Method = (this: { length: number }, ...given: unknown[]) => unknown

export class WorkCounter {
  private readonly session = new Session()
  private passedOver = 0
  private readonly restore: (() => void)[] = []

  async start(): Promise<this> {
    this.session.connect()
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
    this.passedOver = 0
    this.watchBuiltIns()
    let response: string
    try {
      response = await run()
    } finally {
      for (const restore of this.restore.splice(0)) restore()
    }
    return this.passedOver + response.length + (await this.blocks())
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
      this.passedOver += cost()
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
  }
}
