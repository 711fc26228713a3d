/** The registry of commands holds each command once, and the page runs only commands that exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Command } from '../../src/app/commands/registry'

const SOURCES = fileURLToPath(new URL('../../src/app', import.meta.url))

const idsThatThePageRuns = (): string[] =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const source = readFileSync(join(SOURCES, name), 'utf8')
      return [...source.matchAll(/runCommand\('([^']+)'\)/g)].map(([, id]) => id as string)
    })

const repeated = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index)

vi.mock('virtual:handler-frame', () => ({ default: '' }))

let commands: readonly Command[] = []

beforeAll(async () => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('navigator', { userAgent: '' })
  vi.stubGlobal('addEventListener', () => undefined)
  ;({ COMMANDS: commands } = await import('../../src/app/frame/all-commands'))
})

afterAll(() => {
  vi.unstubAllGlobals()
})

describe('the commands of the page', () => {
  it('have different IDs and different titles', () => {
    expect(commands.length).toBeGreaterThan(50)
    expect(repeated(commands.map(({ id }) => id))).toEqual([])
    expect(repeated(commands.map(({ title }) => title))).toEqual([])
  })

  it('have different shortcuts', () => {
    expect(repeated(commands.flatMap(({ keys }) => keys ?? []))).toEqual([])
  })

  it('include every command that a button or a menu runs', () => {
    const known = new Set(commands.map(({ id }) => id))
    const used = idsThatThePageRuns()
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((id) => !known.has(id))).toEqual([])
  })
})
