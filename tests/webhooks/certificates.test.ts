/** CA bundles for connections to other servers, and errors for invalid bundles. */
import { describe, expect, it } from 'vitest'
import { pemBlocks } from '../../src/engine/validation/pem'
import { bundleProblem, certificatesIn } from '../../src/engine/webhooks/certificates'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'

const { cert: GOOD, key: KEY } = selfSignedCertificate('example.com', 0)
const NO_PEM = 'unable to load root certificates: unable to parse bytes as PEM block'
const NO_CERTIFICATE = 'unable to load root certificates: no valid certificate authority data seen'
const malformed = (why: string) =>
  `unable to load root certificates: failed to parse certificate: x509: ${why}`
const block = (bytes: Uint8Array | number[], label = 'CERTIFICATE'): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${label}-----\n`
const bundle = (text: string) => Buffer.from(text).toString('base64')
const der = (pem: string) => Buffer.from(pem.replace(/-----.*-----|\s/g, ''), 'base64')

/** One DER element. */
const element = (tag: number, ...contents: (number | number[])[]): number[] => {
  const bytes = contents.flat()
  return [tag, bytes.length, ...bytes]
}
const sequence = (...contents: number[][]) => element(0x30, ...contents)
const integer = (...bytes: number[]) => element(0x02, ...bytes)
const ALGORITHM = sequence(element(0x06, 0x2a, 0x03))
const NAME = sequence()
const SIGNATURE = element(0x03, 0x00)
const certificate = (body: number[][], algorithm = ALGORITHM, signature = SIGNATURE) =>
  sequence(sequence(...body), algorithm, signature)
const version = (...bytes: number[]) => element(0xa0, integer(...bytes))
const LEAST = [integer(1), ALGORITHM, NAME, NAME, NAME, NAME]

describe('a CA bundle', () => {
  it('contains its certificates, or is empty', () => {
    expect(bundleProblem(bundle(GOOD))).toBeUndefined()
    expect(bundleProblem(bundle(`note\n${GOOD}end`))).toBeUndefined()
    expect(bundleProblem('')).toBeUndefined()
    expect(bundleProblem(undefined)).toBeUndefined()
  })

  it('yields the certificates that parse, unchanged', () => {
    const given = certificatesIn(bundle(block([1, 2]) + KEY + GOOD + block([0x30, 0])))
    expect('certificates' in given && der(given.certificates)).toEqual(der(GOOD))
  })

  it.each([
    ['no PEM', 'none', NO_PEM],
    ['text behind a block of another type', `${block([1], 'OTHER')}more`, NO_PEM],
    ['a key alone', KEY, NO_CERTIFICATE],
    ['a certificate with headers', GOOD.replace('-----\n', '-----\na: b\n\n'), NO_CERTIFICATE],
    ['no end', GOOD.replace(/-----END[\s\S]*/, ''), NO_PEM],
    ['another end', GOOD.replace('END CERTIFICATE', 'END OTHER'), NO_PEM],
    [
      'padding that is none',
      '-----BEGIN CERTIFICATE-----\nAAA\n-----END CERTIFICATE-----\n',
      NO_PEM,
    ],
    [
      'a block without contents',
      '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----',
      malformed('malformed certificate'),
    ],
    ['zeros', block([0, 0, 0]), malformed('malformed certificate')],
    ['what is cut off', block(der(GOOD).subarray(0, 40)), malformed('malformed certificate')],
    [
      'a key in the place of a certificate',
      block(der(KEY)),
      malformed('malformed tbs certificate'),
    ],
    [
      'more behind it',
      block(Buffer.concat([der(GOOD), Buffer.from([0])])),
      malformed('trailing data'),
    ],
  ])('with %s is unusable', (_, text, problem) => {
    expect(bundleProblem(bundle(text))).toBe(problem)
  })

  it.each<[string | undefined, number[]]>([
    [undefined, certificate(LEAST)],
    [undefined, certificate([version(2), ...LEAST])],
    ['malformed version', certificate([version(), ...LEAST])],
    ['malformed version', certificate([version(0xff), ...LEAST])],
    ['invalid version', certificate([version(3), ...LEAST])],
    ['malformed serial number', certificate([integer(0, 1), ...LEAST.slice(1)])],
    ['malformed signature algorithm identifier', certificate([integer(1)])],
    ['malformed algorithm identifier', certificate(LEAST, integer(1))],
    ["inner and outer signature algorithm identifiers don't match", certificate(LEAST, NAME)],
    ['malformed issuer', certificate(LEAST.slice(0, 2))],
    ['malformed validity', certificate(LEAST.slice(0, 3))],
    ['malformed issuer', certificate(LEAST.slice(0, 4))],
    ['malformed spki', certificate(LEAST.slice(0, 5))],
    ['malformed signature', certificate(LEAST, ALGORITHM, NAME)],
  ])('is checked by its structure: %s', (why, bytes) => {
    expect(bundleProblem(bundle(block(bytes)))).toBe(why && malformed(why))
  })
})

describe('PEM', () => {
  const labels = (text: string) => pemBlocks(text).blocks.map(({ label }) => label)

  it('starts at the beginning of a line, and continues after invalid blocks', () => {
    expect(labels(` ${block([1], 'A')}${block([1], 'B')}`)).toEqual(['B'])
    expect(labels(`-----BEGIN A-----\n${block([1], 'B')}`)).toEqual(['B'])
    expect(labels(`-----BEGIN A\n${block([1], 'B')}`)).toEqual(['B'])
    expect(labels(block([1], 'A').replaceAll('\n', ' \t\r\n'))).toEqual(['A'])
    expect(labels(`${block([1], 'A').trimEnd()} more\n${block([1], 'B')}`)).toEqual(['B'])
  })

  it.each(['-----BEGIN A-----\n', 'a: b\n', '\n-----BEGIN A-----\nAAAA\n-----END B-----'])(
    'parses in linear time: %j',
    (part) => {
      const time = (count: number) => {
        const begun = performance.now()
        pemBlocks(`-----BEGIN A-----\n${part.repeat(count)}`)
        return performance.now() - begun
      }
      time(1000)
      expect(time(100_000)).toBeLessThan(2000)
    },
  )
})
