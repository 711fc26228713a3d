import { expect, test } from 'vitest'
import { fuzz } from './fuzz'

test('malformed requests get a valid response and leave the store consistent', {
  timeout: 120_000,
}, async () => {
  expect(await fuzz({ requests: 2000, step: 7, seed: 1 })).toBeGreaterThan(1000)
})
