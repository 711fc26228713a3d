import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../scripts/find-chromium'

const folder = mkdtempSync(join(tmpdir(), 'kubetab-chromium-'))
afterAll(() => rmSync(folder, { recursive: true }))

function program(name: string, mode = 0o755): string {
  const path = join(folder, name)
  writeFileSync(path, '')
  chmodSync(path, mode)
  return path
}

describe('which Chromium is driven', () => {
  const chrome = program('google-chrome')
  const PATH = ['/nowhere', folder].join(delimiter)

  it('is the first of the usual names on the path', () => {
    expect(findChromium({ PATH })).toBe(chrome)
    const chromium = program('chromium')
    expect(findChromium({ PATH })).toBe(chromium)
  })

  it('is the one that CHROMIUM_PATH names, and no other', () => {
    const own = program('own-build')
    expect(findChromium({ PATH, CHROMIUM_PATH: own })).toBe(own)
    expect(findChromium({ PATH, CHROMIUM_PATH: '/nowhere/chromium' })).toBeUndefined()
  })

  it('is a program, and may be none', () => {
    expect(findChromium({ PATH: '/nowhere' })).toBeUndefined()
    expect(findChromium({ CHROMIUM_PATH: program('text-file', 0o644) })).toBeUndefined()
  })
})
