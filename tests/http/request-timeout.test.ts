import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationProblem } from '../../src/engine/schema/go-duration'
import { testClient } from './test-client'

describe('a duration', () => {
  test.each(['0', '0s', '-5s', '+1.5h', '.5s', '1.s', '1h2m3s4ms5us6µs7ns', '-0'])(
    'accepts %s',
    (text) => {
      expect(durationProblem(text)).toBeUndefined()
    },
  )

  test.each([
    ['', 'invalid duration ""'],
    ['abc', 'invalid duration "abc"'],
    ['-', 'invalid duration "-"'],
    ['.s', 'invalid duration ".s"'],
    ['5', 'missing unit in duration "5"'],
    ['1s2', 'missing unit in duration "1s2"'],
    ['1d', 'unknown unit "d" in duration "1d"'],
    ['1sx3m', 'unknown unit "sx" in duration "1sx3m"'],
  ])('%j: %s', (text, problem) => {
    expect(durationProblem(text)).toBe(problem)
  })

  test('accepts any sequence of amounts with units', () => {
    const part = fc
      .tuple(fc.nat(10_000), fc.constantFrom('ns', 'us', 'ms', 's', 'm', 'h'))
      .map(([amount, unit]) => `${amount}${unit}`)
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (parts) => {
        expect(durationProblem(parts.join(''))).toBeUndefined()
      }),
    )
  })
})

test('rejects an invalid timeout for all requests except long-running ones', async () => {
  const sendRequest = testClient()
  for (const target of ['/healthz', '/version', '/api/v1/pods', '/nosuch']) {
    expect((await sendRequest(`${target}?timeout=abc`)).json.message).toBe(
      'invalid timeout specified in the request URL - time: invalid duration "abc"',
    )
  }
  expect((await sendRequest('/api/v1/namespaces/a/pods/x/log?timeout=abc')).status).not.toBe(400)
})
