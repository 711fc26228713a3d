/** The descriptions of missing permissions against a naive model that writes out every permission. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { uncoveredRules } from '../../src/engine/authorization/rbac/coverage'
import { missingPermissions } from '../../src/engine/authorization/rbac/missing-permissions'
import type { PolicyRule } from '../../src/engine/authorization/rbac/rules'
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

/** Each permission as a rule of its own, then the verbs of each resource and name together. */
function naive(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): string[] {
  const verbsOf = new Map<string, string[]>()
  const paths = new Set<string>()
  for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of uncoveredRules(
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

it('describes what writing out every permission finds', () => {
  fc.assert(
    fc.property(rules, rules, (held, wanted) => {
      expect(missingPermissions(held, wanted)).toEqual({
        descriptions: naive(held, wanted),
        omitted: 0,
      })
    }),
  )
})

it('describes the first of very many permissions, and counts the others', () => {
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
