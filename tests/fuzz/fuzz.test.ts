import { expect, test } from 'vitest'
import { fuzz } from './fuzz'

test('whatever comes in, the server answers by rule and keeps its store', {
  timeout: 120_000,
}, async () => {
  expect(await fuzz({ requests: 2000, step: 7, seed: 1 })).toBeGreaterThan(1000)
})
