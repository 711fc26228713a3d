import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Locked {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
  dependencies?: Record<string, string>
}

const root = new URL('../../', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, root), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const manifest = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

describe('what is installed', () => {
  it('is pinned exactly', () => {
    for (const [name, given] of Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    })) {
      // A package under another name is pinned behind its own.
      const version = given.replace(/^npm:[\w@/-]+@/, '')
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version)
    }
  })

  it('comes from whatever registry the machine is set up for', () => {
    expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual(
      [],
    )
  })

  it('is locked for every platform: npm ci rejects a lock that lacks the optional packages of another', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      ),
    )
    expect(missing).toEqual([])
  })
})
