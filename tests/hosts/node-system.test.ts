import { describe, expect, it } from 'vitest'
import { systemEnvironment } from '../../src/hosts/node/system'

const { clock, random } = systemEnvironment

describe("the machine's randomness", () => {
  it('gives every byte once', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 5000; i++) seen.add(Buffer.from(random.bytes(new Uint8Array(16))).toString('hex'))
    expect(seen.size).toBe(5000)
  })

  it('fills any length and gives back the same array', () => {
    for (const length of [0, 1, 8192, 20_000]) {
      const array = new Uint8Array(length)
      expect(random.bytes(array)).toBe(array)
    }
    expect(random.bytes(new Uint8Array(20_000)).filter((byte) => byte === 0).length).toBeLessThan(200)
  })
})

describe("the machine's clock", () => {
  it('calls back after the time, unless called off', async () => {
    const calls: string[] = []
    const started = clock.now()
    const callOff = clock.after(5, () => calls.push('called off'))
    callOff()
    await new Promise<void>((resolve) => clock.after(20, resolve))
    expect(calls).toEqual([])
    expect(clock.now() - started).toBeGreaterThanOrEqual(15)
  })

  it('can be asked for more than a timer takes', () => {
    const callOff = clock.after(2 ** 40, () => {
      throw new Error('far too early')
    })
    callOff()
  })
})
