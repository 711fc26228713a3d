/**
 * Type checking warnings of policies against the kinds that they match. Recorded from
 * kube-apiserver 1.31.
 */
import { describe, expect, it } from 'vitest'
import { typeWarnings } from '../../src/engine/policy/type-check/check'
import { builtinModel } from '../../src/engine/schema/builtin'
import { modelOfCustomSchema } from '../../src/engine/schema/custom'
import type { StructType } from '../../src/engine/schema/model'

const NAMED: readonly [group: string, version: string, resource: string, kind: string][] = [
  ['', 'v1', 'pods', 'Pod'],
  ['', 'v1', 'resourcequotas', 'ResourceQuota'],
  ['apps', 'v1', 'deployments', 'Deployment'],
  ['apps', 'v1', 'controllerrevisions', 'ControllerRevision'],
  ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition'],
]
const CUSTOM = modelOfCustomSchema({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { at: { type: 'string', format: 'date-time' }, 'a-b': { type: 'string' } },
    },
  },
})
const KINDS = [
  ...NAMED.map(([group, version, resource, kind]) => ({
    group,
    version,
    resource,
    kind,
    type: builtinModel().byKind(group, version, kind) as StructType,
  })),
  { group: 'example.com', version: 'v1', resource: 'things', kind: 'Thing', type: CUSTOM },
]
const served = {
  named: (group: string, version: string, resource: string) =>
    KINDS.filter(
      (one) =>
        (group === '' || one.group === group) &&
        one.version === version &&
        one.resource === resource,
    ),
  byKind: (group: string, version: string, kind: string) =>
    KINDS.find((one) => one.group === group && one.version === version && one.kind === kind),
}

function warning(
  resource: string,
  expression: string,
  group = KINDS.find((one) => one.resource === resource)?.group ?? '',
): string {
  const rule = {
    apiGroups: [group],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: [resource],
  }
  const [found] = typeWarnings(
    { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
    served,
  )
  return found?.warning ?? ''
}

describe('a policy', () => {
  it.each([
    [
      'pods',
      'object.spec == 1',
      "/v1, Kind=Pod: ERROR: <input>:1:13: found no matching overload for '_==_' applied to '(Pod1.spec, int)'",
    ],
    [
      'deployments',
      'object.spec.template.spec.containers == 1',
      'list(Deployment1.spec.template.spec.containers.@idx), int',
    ],
    [
      'deployments',
      'object.spec.template.metadata == object.metadata',
      'Deployment1.spec.template.metadata, Deployment1.metadata',
    ],
    ['resourcequotas', 'has(object.spec.hard)', "undefined field 'hard'"],
    ['controllerrevisions', 'object.data == 1', 'ControllerRevision1.data, int'],
    ['controllerrevisions', 'object.data.a == 1', "undefined field 'a'"],
    [
      'customresourcedefinitions',
      'object.spec.versions[0].schema.openAPIV3Schema.not.not == 1',
      "undefined field 'not'",
    ],
    [
      'customresourcedefinitions',
      'object.spec.versions[0].schema.openAPIV3Schema.default == 1',
      "undefined field 'default'",
    ],
    ['things', 'object.spec.at == 1', '(timestamp, int)'],
    ['things', 'object.spec.a__dash__b == 1', '(string, int)'],
    ['things', 'object.spec == 1', '(Thing1.spec, int)'],
  ])('gets a warning for unknown members of %s: %s', (resource, expression, problem) =>
    expect(warning(resource, expression)).toContain(problem),
  )

  it.each([
    ['deployments', 'object.metadata.__namespace__ == object.metadata.namespace'],
    ['deployments', 'object.spec.strategy.rollingUpdate.maxSurge == 1'],
    ['deployments', 'object == oldObject'],
  ])('gets no warning for valid members of %s: %s', (resource, expression) =>
    expect(warning(resource, expression)).toBe(''),
  )

  it('is checked against kinds of all groups where it matches the core group', () => {
    expect(warning('deployments', 'object.none == 1', '')).toMatch(/^apps\/v1, Kind=Deployment: /)
  })
})
