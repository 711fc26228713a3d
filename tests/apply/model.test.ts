/**
 * Server-side apply against a model: an object is a list of paths with a value and managers each.
 * Any sequence of applies and updates of small objects must leave the same values and managers.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../../src/engine/apply/field-set'
import { decodeFields } from '../../src/engine/apply/fields-v1'
import type { JsonObject } from '../../src/engine/core/object'
import { ApiError } from '../../src/engine/http/status'
import { apply, specOf, update, type Written } from './widget'

interface Port {
  port: number
  name?: string
}

interface Spec {
  replicas?: number
  image?: string
  tags?: string[]
  options?: Record<string, string>
  ports?: Port[]
}

type Values = Map<string, unknown>

/** Returns the leaf paths of a spec with their values. The path of an item itself has no value. */
function valuesOf({ replicas, image, tags = [], options, ports = [] }: Spec): Values {
  const values: Values = new Map()
  if (replicas !== undefined) values.set('replicas', replicas)
  if (image !== undefined) values.set('image', image)
  for (const tag of tags) values.set(`tags[${tag}]`, true)
  for (const [name, value] of Object.entries(options ?? {})) values.set(`options.${name}`, value)
  for (const item of ports) {
    values.set(`ports[${item.port}]`, true)
    for (const [name, value] of Object.entries(item))
      values.set(`ports[${item.port}].${name}`, value)
  }
  return values
}

/** Returns the same paths of an entry of managedFields, without containers, which have no value. */
function pathsOwned(fields: JsonObject): string[] {
  const owned = pathsOf(decodeFields((fields['f:spec'] ?? {}) as JsonObject)).map((path) =>
    path
      .map((element) => {
        if (element.startsWith('k:')) return `[${JSON.parse(element.slice(2)).port}]`
        return element.startsWith('v:')
          ? `[${JSON.parse(element.slice(2))}]`
          : `.${element.slice(2)}`
      })
      .join('')
      .slice(1),
  )
  return owned.filter((path) => !['', 'tags', 'options', 'ports'].includes(path)).sort()
}

const BEFORE = 'before-first-apply'

class Model {
  values: Values = new Map()
  readonly owners = new Map<string, Set<string>>()
  private exists = false

  /** @returns the paths in conflict, empty if it succeeded */
  apply(manager: string, spec: Spec, force: boolean): string[] {
    const applied = valuesOf(spec)
    const owners =
      this.isTracked() || !this.exists
        ? this.owners
        : new Map([...this.values.keys()].map((path) => [path, new Set([BEFORE])]))
    const others = (path: string): string[] =>
      [...(owners.get(path) ?? [])].filter((owner) => owner !== manager)
    const conflicts = [...applied].filter(
      ([path, value]) => this.values.get(path) !== value && others(path).length > 0,
    )
    if (conflicts.length > 0 && !force) return conflicts.map(([path]) => path)
    this.exists = true
    for (const [path, set] of owners) this.owners.set(path, set)
    for (const [path, value] of applied) {
      if (this.values.get(path) !== value) this.owners.set(path, new Set([manager]))
      else this.owners.set(path, new Set([...(this.owners.get(path) ?? []), manager]))
      this.values.set(path, value)
    }
    for (const [path, set] of [...this.owners]) {
      if (!applied.has(path) && set.delete(manager) && set.size === 0) this.remove(path)
    }
    return []
  }

  update(manager: string, spec: Spec): string[] {
    const updated = valuesOf(spec)
    const tracked = this.isTracked() || !this.exists
    this.exists = true
    for (const path of [...this.values.keys()]) if (!updated.has(path)) this.remove(path)
    for (const [path, value] of updated)
      if (tracked && this.values.get(path) !== value) this.owners.set(path, new Set([manager]))
    this.values = updated
    return []
  }

  /** A removed item takes its fields along. */
  private remove(path: string): void {
    for (const below of [...this.values.keys()]) {
      if (below !== path && !below.startsWith(`${path}.`)) continue
      this.values.delete(below)
      this.owners.delete(below)
    }
  }

  private isTracked(): boolean {
    return [...this.owners.values()].some((set) => set.size > 0)
  }

  ownedBy(manager: string): string[] {
    return [...this.owners].flatMap(([path, set]) => (set.has(manager) ? [path] : [])).sort()
  }
}

const number = fc.integer({ min: 1, max: 3 })
const letter = fc.constantFrom('a', 'b', 'c')
const port = fc.record(
  { port: number, name: letter },
  { requiredKeys: ['port'], noNullPrototype: true },
)

const spec: fc.Arbitrary<Spec> = fc.record(
  {
    replicas: number,
    image: letter,
    tags: fc.uniqueArray(letter, { minLength: 1 }),
    options: fc.dictionary(letter, letter, { minKeys: 1, noNullPrototype: true }),
    ports: fc.uniqueArray(port, { minLength: 1, selector: ({ port }) => port }) as fc.Arbitrary<
      Port[]
    >,
  },
  { requiredKeys: [], noNullPrototype: true },
)

type Command = { by: string; spec: Spec; how: 'apply' | 'force' | 'update' }

const commands = fc.array(
  fc.record<Command>({
    by: fc.constantFrom('ann', 'bob', 'cat'),
    spec,
    how: fc.constantFrom('apply', 'apply', 'force', 'update'),
  }),
  { minLength: 1, maxLength: 8 },
)

const json = (value: Spec): JsonObject => value as JsonObject

const updater = (name: string): string => `${name}'s editor`

function run(live: Written | undefined, { by, spec, how }: Command): Written | 'conflict' {
  try {
    return how === 'update'
      ? update(live, updater(by), json(spec))
      : apply(live, by, json(spec), { force: how === 'force' })
  } catch (error) {
    if (error instanceof ApiError && error.code === 409) return 'conflict'
    throw error
  }
}

/**
 * Whether an emptied container is gone but still owned. Filling it again then conflicts. The model
 * has no containers, so a run stops here.
 */
function ownsMissingFields(live: Written | undefined): boolean {
  const spec = live?.object.spec as JsonObject | undefined
  return (live?.managers ?? []).some(({ fieldsV1 = {} }) => {
    const fields = fieldsV1['f:spec'] as JsonObject | undefined
    if (fields === undefined) return false
    return (
      spec === undefined ||
      Object.keys(fields).some(
        (field) => field.startsWith('f:') && !Object.hasOwn(spec, field.slice(2)),
      )
    )
  })
}

/**
 * Whether only empty containers have managers. The object is tracked then, which the model cannot
 * represent.
 */
function ownsOnlyContainers(live: Written | undefined): boolean {
  const managers = live?.managers ?? []
  return (
    managers.length > 0 && managers.every(({ fieldsV1 = {} }) => pathsOwned(fieldsV1).length === 0)
  )
}

describe('applies and updates in any order', () => {
  it('leave the values and managers of the model', () => {
    fc.assert(
      fc.property(commands, (all) => {
        const model = new Model()
        let live: Written | undefined
        for (const command of all) {
          if (ownsMissingFields(live) || ownsOnlyContainers(live)) break
          const { by, spec, how } = command
          const conflicts =
            how === 'update'
              ? model.update(updater(by), spec)
              : model.apply(by, spec, how === 'force')
          const result = run(live, command)
          expect(result === 'conflict').toBe(conflicts.length > 0)
          if (result === 'conflict') continue
          live = result
          expect(valuesOf(specOf(live))).toEqual(new Map([...model.values]))
          for (const { manager = '', fieldsV1 = {} } of live.managers)
            expect([manager, pathsOwned(fieldsV1)]).toEqual([manager, model.ownedBy(manager)])
          const entries = new Set(live.managers.map(({ manager }) => manager))
          for (const owner of new Set([...model.owners.values()].flatMap((set) => [...set])))
            expect(entries).toContain(owner)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('are idempotent', () => {
    fc.assert(
      fc.property(commands, spec, (all, again) => {
        let live: Written | undefined
        for (const command of all) {
          const result = run(live, command)
          if (result !== 'conflict') live = result
        }
        const once = apply(live, 'ann', json(again), { force: true })
        const twice = apply(once, 'ann', json(again), { time: '2030-01-01T00:00:00Z' })
        expect(twice.managers).toEqual(once.managers)
        expect(specOf(twice)).toEqual(specOf(once))
      }),
      { numRuns: 200 },
    )
  })

  it('never leave an applied field without a manager while its value exists', () => {
    fc.assert(
      fc.property(commands, (all) => {
        let live: Written | undefined
        for (const command of all) {
          const before = live
          const result = run(live, command)
          if (result === 'conflict') continue
          live = result
          const now = valuesOf(specOf(live))
          const owned = new Set(live.managers.flatMap(({ fieldsV1 = {} }) => pathsOwned(fieldsV1)))
          for (const { fieldsV1 = {} } of before?.managers ?? []) {
            for (const path of pathsOwned(fieldsV1))
              if (now.has(path)) expect(owned).toContain(path)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('a single manager', () => {
  it('owns exactly its last applied configuration', () => {
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 5 }), (specs) => {
        let live: Written | undefined
        for (const applied of specs) live = apply(live, 'ann', json(applied))
        const last = valuesOf(specs.at(-1) as Spec)
        expect(valuesOf(specOf(live as Written))).toEqual(last)
        expect(
          (live as Written).managers.flatMap(({ fieldsV1 = {} }) => pathsOwned(fieldsV1)),
        ).toEqual([...last.keys()].sort())
      }),
    )
  })
})
