/**
 * Links of every earlier version can be read, and their contents are checked against the limits of
 * the page.
 */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compressed } from '../../src/app/features/share/compression'
import { decodeScenario, encodeScenario } from '../../src/app/features/share/link'
import type { Scenario } from '../../src/app/features/share/scenario'

const STORED = new URL('stored-links/', import.meta.url)
const stored = readdirSync(STORED).filter((name) => name.endsWith('.txt'))
const read = (name: string): string => readFileSync(new URL(name, STORED), 'utf8')

describe('a link that was stored', () => {
  it('is there of every format', () => {
    expect(new Set(stored.map((name) => name.slice(0, 2)))).toEqual(new Set(['k1', 'k2']))
  })

  it.each(stored)('%s opens as what it was made of', (name) => {
    expect(decodeScenario(read(name).trim())).toEqual(
      JSON.parse(read(name.replace('.txt', '.json'))),
    )
  })

  it.each(stored)('%s is rejected when truncated', (name) => {
    const link = read(name).trim()
    for (const length of [link.length - 8, Math.floor(link.length / 2), 5])
      expect(() => decodeScenario(link.slice(0, length))).toThrow('damaged or was cut')
  })

  it('of a future format is reported', () => {
    expect(() => decodeScenario('#k3=abc')).toThrow('newer version')
    expect(() => decodeScenario('#k2=%%%')).toThrow('(invalid characters)')
    expect(() => decodeScenario('k2=abc', { name: 'a.kubetab', instead: 'resend' })).toThrow(
      /^a\.kubetab is damaged .*: resend$/,
    )
  })

  it('of something else is none', () => {
    for (const hash of ['', '#', '#section', '#k=1', '#kk1='])
      expect(decodeScenario(hash)).toBeUndefined()
  })
})

const LEAST: Scenario = { objects: [], tabs: [] }
const linkOf = (value: unknown): string => `#k1=${compressed(JSON.stringify(value))}`

describe('what a link holds', () => {
  it('comes out as it went in, whatever the texts are', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 200 })
    const tab = fc.record({
      title: fc.string({ maxLength: 40 }),
      language: fc.constantFrom('yaml' as const, 'typescript' as const),
      text: texts,
    })
    const request = fc.record({
      method: fc.constantFrom('GET' as const, 'POST' as const, 'PATCH' as const),
      path: texts,
      body: texts,
      who: fc.string({ maxLength: 40 }),
      status: fc.integer({ min: 100, max: 599 }),
    })
    fc.assert(
      fc.property(
        fc.array(tab, { maxLength: 5 }),
        fc.array(request, { maxLength: 5 }),
        (tabs, requests) => {
          const scenario = { ...LEAST, tabs, requests }
          expect(decodeScenario(encodeScenario(scenario))).toEqual(scenario)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is short for usual contents', () => {
    const text = `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n  selector:\n    matchLabels:\n      app: web\n`
    expect(
      encodeScenario({ ...LEAST, tabs: [{ title: 'web.yaml', language: 'yaml', text }] }).length,
    ).toBeLessThan(80)
  })

  it('is rejected for a wrong shape, with the position', () => {
    const invalid: [unknown, string][] = [
      [null, 'it should be an object'],
      [{ objects: [] }, 'tabs should be a list'],
      [{ ...LEAST, objects: [{ kind: 'Pod', apiVersion: 'v1' }] }, 'metadata should be an object'],
      [
        { ...LEAST, tabs: [{ title: 'a', language: 'html', text: '' }] },
        'tabs[0].language should be one of yaml, typescript',
      ],
      [
        { ...LEAST, requests: [{ method: 'TRACE', path: '/', who: 'a', status: 200 }] },
        'requests[0].method',
      ],
      [{ ...LEAST, clock: { time: 'now', rate: 1 } }, 'clock.time'],
      [{ ...LEAST, settings: { seed: 1.5 } }, 'settings.seed should be a whole number'],
      [
        {
          ...LEAST,
          actors: {
            acting: 'a',
            fieldManager: '',
            added: [{ name: 'a\r\nAuthorization: x', groups: [] }],
          },
        },
        'name of a user or group',
      ],
    ]
    for (const [value, message] of invalid)
      expect(() => decodeScenario(linkOf(value))).toThrow(message)
  })

  it('explains a damaged link', () => {
    const link = encodeScenario({
      ...LEAST,
      tabs: [{ title: 'a', language: 'yaml', text: 'kind: Pod\n'.repeat(40) }],
    })
    const ours =
      /\((its end is missing|its checksum does not match|it does not contain a scenario|.*should be.*)\): /
    for (let length = 'k2='.length; length < link.length; length++)
      expect(() => decodeScenario(link.slice(0, length))).toThrow(ours)
    expect(() => decodeScenario(`k2=${compressed('just a text')}`)).toThrow(
      '(it does not contain a scenario)',
    )
    // A block of a kind that there is not.
    expect(() => decodeScenario('k1=_w')).toThrow('(its checksum does not match)')
  })

  it('leaves behind what the page does not know', () => {
    const handlers = [{ name: 'a', address: 'https://x', code: 'alert(1)' }]
    const access = { tokenFile: '/t', files: { '/t': 'secret,admin,1' } }
    const tabs = [{ title: 'a', language: 'typescript', text: '', from: undefined, run: true }]
    expect(
      decodeScenario(
        linkOf({ ...LEAST, tabs, settings: { nodes: 1, handlers, access }, run: 'alert(1)' }),
      ),
    ).toEqual({
      objects: [],
      tabs: [{ title: 'a', language: 'typescript', text: '' }],
      settings: { nodes: 1 },
    })
  })

  it('cannot fill the memory', () => {
    const bomb = compressed(' '.repeat(33 * 1024 * 1024))
    expect(() => decodeScenario(`#k1=${bomb}`)).toThrow('far too large')
  })
})
