/** Checks descriptions of missing permissions against a naive model that lists every permission. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TooManyCombinations } from '../../src/engine/authorization/rbac/cover'
import { uncoveredRules } from '../../src/engine/authorization/rbac/coverage'
import { missingPermissions } from '../../src/engine/authorization/rbac/missing-permissions'
import type { PolicyRule } from '../../src/engine/authorization/rbac/rules'
import { pathCovers } from '../../src/engine/authorization/rbac/rules'
import { goQuote } from '../../src/engine/schema/go-text'

const some = (values: readonly string[]) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const verbs = some(['get', 'list', '*'])
const groups = some(['', 'apps', '*'])
const resources = some(['pods', 'pods/log', '*/log', '*'])

const rules = fc.array(
  fc.oneof(
    fc.record({ verbs, apiGroups: groups, resources }),
    fc.record({ verbs, apiGroups: groups, resources, resourceNames: some(['one', 'two']) }),
    fc.record({ verbs, nonResourceURLs: some(['/x', '/x/*', '*']) }),
  ),
  { maxLength: 4 },
)

const quoted = (list: readonly string[]): string => `[${list.map(goQuote).join(' ')}]`

const includes = (list: readonly string[] | null | undefined, value: string): boolean =>
  list?.includes('*') === true || list?.includes(value) === true

/**
 * Reports whether one rule covers a rule of one verb, group, resource and name, or of one verb and
 * path.
 */
function covers(rule: PolicyRule, wanted: PolicyRule): boolean {
  const [verb = ''] = wanted.verbs ?? []
  const [group = ''] = wanted.apiGroups ?? []
  const [resource = ''] = wanted.resources ?? []
  const [path] = wanted.nonResourceURLs ?? []
  if (!includes(rule.verbs, verb)) return false
  const names = rule.resourceNames ?? []
  if (path !== undefined)
    return names.length === 0 && (rule.nonResourceURLs ?? []).some((held) => pathCovers(held, path))
  const subresource = resource.includes('/') ? resource.slice(resource.indexOf('/')) : undefined
  const coversResource =
    includes(rule.resources, resource) ||
    (subresource !== undefined && (rule.resources ?? []).includes(`*${subresource}`))
  const [name] = wanted.resourceNames ?? []
  const coversName = names.length === 0 || (name !== undefined && names.includes(name))
  return includes(rule.apiGroups, group) && coversResource && coversName
}

/** Returns each uncovered permission as its own rule, by expanding all products. */
function writtenOut(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const permissions = wanted.flatMap((rule) => {
    const verbs = rule.verbs ?? []
    const names = rule.resourceNames?.length
      ? rule.resourceNames.map((name) => ({ resourceNames: [name] }))
      : [{}]
    const onResources = (rule.apiGroups ?? []).flatMap((group) =>
      (rule.resources ?? []).flatMap((resource) =>
        verbs.flatMap((verb) =>
          names.map((name) => ({
            verbs: [verb],
            apiGroups: [group],
            resources: [resource],
            ...name,
          })),
        ),
      ),
    )
    const onPaths = (rule.nonResourceURLs ?? []).flatMap((path) =>
      verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [path] })),
    )
    return [...onResources, ...onPaths]
  })
  return permissions.filter((expected) => !held.some((rule) => covers(rule, expected)))
}

/** Lists each permission as its own rule, then groups the verbs of each resource and name. */
function naive(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): string[] {
  const verbsOf = new Map<string, string[]>()
  const paths = new Set<string>()
  for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of writtenOut(
    held,
    wanted,
  )) {
    if (nonResourceURLs)
      paths.add(`{NonResourceURLs:${quoted(nonResourceURLs)}, Verbs:${quoted(verbs ?? [])}}`)
    else {
      const names = resourceNames ? `, ResourceNames:${quoted(resourceNames)}` : ''
      const what = `APIGroups:${quoted(apiGroups ?? [])}, Resources:${quoted(resources ?? [])}${names}`
      verbsOf.set(what, [...(verbsOf.get(what) ?? []), ...(verbs ?? [])])
    }
  }
  return [
    ...[...verbsOf].map(([what, verbs]) => `{${what}, Verbs:${quoted(verbs)}}`),
    ...paths,
  ].sort()
}

it('finds the same rules as the naive model', () => {
  fc.assert(
    fc.property(rules, rules, (held, wanted) => {
      expect(uncoveredRules(held, wanted)).toEqual(writtenOut(held, wanted))
    }),
  )
})

it('skips the covered part of a product', () => {
  const many = Array.from({ length: 3000 }, (_, index) => `n${index}`)
  const product = { verbs: many, apiGroups: many, resources: many, resourceNames: many }
  expect(uncoveredRules([{ ...product, resourceNames: [] }], [product])).toEqual([])
  const wanted = { ...product, resources: ['n0', 'x'], verbs: ['n0'], resourceNames: [] }
  expect(uncoveredRules([{ ...product, resourceNames: [] }], [wanted])).toHaveLength(3000)
})

it('describes the same permissions as the naive model', () => {
  fc.assert(
    fc.property(rules, rules, (held, wanted) => {
      expect(missingPermissions(held, wanted)).toEqual({
        descriptions: naive(held, wanted),
        omitted: 0,
      })
    }),
  )
})

it('describes the first of many permissions, and counts the others', () => {
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`)
  const rule = { verbs: names, apiGroups: names, resources: names, resourceNames: names }
  const held = [{ verbs: ['n0'], apiGroups: ['n0'], resources: ['n0'] }]
  const { descriptions, omitted } = missingPermissions(held, [rule])
  const described = descriptions.reduce(
    (sum, text) => sum + (/Verbs:\[(.*)\]\}$/.exec(text)?.[1]?.split(' ').length ?? 0),
    0,
  )
  expect(described + omitted).toBe(60 ** 4 - 60)
  expect(descriptions[0]).toMatch(
    /^\{APIGroups:\["n0"\], Resources:\["n0"\], ResourceNames:\["n0"\], Verbs:\["n1" /,
  )
  expect(descriptions.join('').length).toBeLessThanOrEqual(2 ** 20)
})

/** Each element is covered by rules of its own, so all combinations of masks differ. */
function tangled(size: number, extra: number) {
  const list = (of: string) => Array.from({ length: size }, (_, index) => `${of}${index}`)
  const some = (of: string, rule: number, salt: number) =>
    list(of).filter((_, at) => {
      const mixed = Math.imul(Math.imul(at + salt, 0x9e3779b1) ^ rule, 0x85ebca6b)
      return ((mixed >>> 13) & 3) !== 0
    })
  const held = Array.from({ length: size * extra }, (_, rule) => ({
    verbs: ['get'],
    apiGroups: some('g', rule, 1),
    resources: some('r', rule, 1001),
    resourceNames: some('n', rule, 2001),
  }))
  const wanted = {
    verbs: ['get'],
    apiGroups: list('g'),
    resources: list('r'),
    resourceNames: list('n'),
  }
  return { held, wanted }
}

it('gives up on masks with too many combinations', () => {
  const { held, wanted } = tangled(400, 1)
  expect(() => missingPermissions(held, [wanted])).toThrow(TooManyCombinations)
  const few = tangled(12, 3)
  expect(missingPermissions(few.held, [few.wanted]).descriptions).toEqual(
    naive(few.held, [few.wanted]),
  )
})
