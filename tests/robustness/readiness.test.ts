import { describe, expect, it } from 'vitest'
import { Readiness } from '../../src/engine/server/readiness'

/** What requests need, made when the test reports it. */
function making() {
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const readiness = new Readiness(
    () => new Promise((resolve, reject) => ends.push({ resolve, reject })),
  )
  return { readiness, ends }
}

describe('readiness to serve', () => {
  it('is reached once, however many requests wait for it', async () => {
    const { readiness, ends } = making()
    const waiting = [readiness.pending(), readiness.pending(), readiness.reached()]
    expect(ends).toHaveLength(1)
    ends[0]?.resolve()
    await Promise.all(waiting)
    expect(readiness.pending()).toBeUndefined()
    await readiness.reached()
    expect(ends).toHaveLength(1)
  })

  it('is retried by the next request after a failure, and pending requests get an error', async () => {
    const { readiness, ends } = making()
    const waiting = [readiness.pending(), readiness.pending()].map((pending) =>
      expect(pending).rejects.toThrow('the store is away'),
    )
    ends[0]?.reject(new Error('the store is away'))
    await Promise.all(waiting)
    const again = readiness.pending()
    expect(ends).toHaveLength(2)
    ends[1]?.resolve()
    await again
    expect(readiness.pending()).toBeUndefined()
  })
})
