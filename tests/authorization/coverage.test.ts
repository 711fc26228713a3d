/** How rights that a grant lacks are described. */
import { describe, expect, it } from 'vitest'
import { missingRights } from '../../src/engine/authorization/rbac/coverage'

const nodes = { apiGroups: [''], resources: ['nodes'] }

describe('missingRights', () => {
  it('repeats a verb as often as the rules name it', () => {
    const expected = ['{APIGroups:[""], Resources:["nodes"], Verbs:["get" "get" "list"]}']
    expect(missingRights([], [{ ...nodes, verbs: ['get', 'get', 'list'] }])).toEqual(expected)
    expect(
      missingRights(
        [],
        [
          { ...nodes, verbs: ['get'] },
          { ...nodes, verbs: ['get', 'list'] },
        ],
      ),
    ).toEqual(expected)
  })

  it('repeats verbs of repeated groups, resources and names', () => {
    const twice = ['{APIGroups:[""], Resources:["nodes"], ResourceNames:["a"], Verbs:["get" "get"]}']
    const rule = { ...nodes, resourceNames: ['a'], verbs: ['get'] }
    expect(missingRights([], [{ ...rule, apiGroups: ['', ''] }])).toEqual(twice)
    expect(missingRights([], [{ ...rule, resources: ['nodes', 'nodes'] }])).toEqual(twice)
    expect(missingRights([], [{ ...rule, resourceNames: ['a', 'a'] }])).toEqual(twice)
  })

  it('describes a repeated path once', () => {
    expect(missingRights([], [{ nonResourceURLs: ['/x', '/x'], verbs: ['get'] }])).toEqual(['{NonResourceURLs:["/x"], Verbs:["get"]}'])
  })
})
