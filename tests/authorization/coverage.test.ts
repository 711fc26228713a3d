/** Descriptions of the permissions that a grant lacks. */
import { describe, expect, it } from 'vitest'
import { missingPermissions } from '../../src/engine/authorization/rbac/missing-permissions'

const missing = (...rules: Parameters<typeof missingPermissions>) =>
  missingPermissions(...rules).descriptions

const nodes = { apiGroups: [''], resources: ['nodes'] }

describe('missing permissions', () => {
  it('repeats a verb as often as the rules list it', () => {
    const expected = ['{APIGroups:[""], Resources:["nodes"], Verbs:["get" "get" "list"]}']
    expect(missing([], [{ ...nodes, verbs: ['get', 'get', 'list'] }])).toEqual(expected)
    expect(
      missing(
        [],
        [
          { ...nodes, verbs: ['get'] },
          { ...nodes, verbs: ['get', 'list'] },
        ],
      ),
    ).toEqual(expected)
  })

  it('repeats verbs for repeated groups, resources and names', () => {
    const twice = [
      '{APIGroups:[""], Resources:["nodes"], ResourceNames:["a"], Verbs:["get" "get"]}',
    ]
    const rule = { ...nodes, resourceNames: ['a'], verbs: ['get'] }
    expect(missing([], [{ ...rule, apiGroups: ['', ''] }])).toEqual(twice)
    expect(missing([], [{ ...rule, resources: ['nodes', 'nodes'] }])).toEqual(twice)
    expect(missing([], [{ ...rule, resourceNames: ['a', 'a'] }])).toEqual(twice)
  })

  it('describes a repeated path once', () => {
    expect(missing([], [{ nonResourceURLs: ['/x', '/x'], verbs: ['get'] }])).toEqual([
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
    ])
  })
})
