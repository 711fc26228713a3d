import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import type { Release } from '../../src/engine/releases/release'
import { testServer } from '../admission/server'

const GROUP = '/apis/admissionregistration.k8s.io/v1'

beforeAll(() => loadTables('1.37'))

/** The result of each expression about a pod, as the warnings of a policy print it. */
async function evaluated(release: Release, expressions: string[]): Promise<string[]> {
  const server = testServer({ release })
  await server.namespace('team')
  await server.send('POST', `${GROUP}/validatingadmissionpolicies`, {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        ],
      },
      // Equal warnings are sent once.
      validations: expressions.map((expression, index) => ({
        expression: `[${expression}].size() == ${index + 2}`,
        messageExpression: `'${index}=%s'.format([${expression}])`,
      })),
    },
  })
  await server.send('POST', `${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Warn'] },
  })
  const limits = (memory: string) => ({ resources: { limits: { memory } } })
  const { warnings } = await server.pod(
    'team',
    {
      containers: [
        { name: 'c', image: 'i', ...limits('1Ki') },
        { name: 'd', image: 'i', ...limits('1024') },
      ],
    },
    { labels: { app: 'web' } },
  )
  return Array.from(
    warnings.matchAll(/(?:with binding 'b': \d+=|error: )(.*?)"(?:,|$)/g),
    ([, text]) => String(text),
  )
}

const EXPRESSIONS = [
  'object.metadata.labels[0]',
  'object.spec[true]',
  '1 in object.metadata.labels',
  '1 in object.spec',
  "'app' in object.metadata.labels",
  'object.spec.containers[1.0].name',
  'object.spec.containers == 1',
  'object.metadata.labels == 1',
  'object.spec != 1',
  "object.metadata.labels == {'app': 'web'}",
  'object.spec.containers[0].resources == object.spec.containers[1].resources',
  'object.spec.containers[0].resources.limits == object.spec.containers[1].resources.limits',
  "object.spec.containers[0].resources == {'limits': {'memory': '1Ki'}, 'requests': {'memory': '1Ki'}}",
  'object.metadata == object.spec',
  '{}[object.spec]',
  '{}[object.metadata.labels]',
  'dyn(request.userInfo)[1]',
  'dyn(namespaceObject.metadata.labels)[1]',
]

describe('objects of built-in kinds in policies', () => {
  it('are values of Go types since 1.37', async () => {
    expect(await evaluated('1.37', EXPRESSIONS)).toEqual([
      'unsupported map key type: types.Int',
      'unsupported map key type: types.Bool',
      'unsupported map key type: types.Int',
      'unsupported map key type: types.Int',
      'true',
      'unsupported index type: types.Double',
      'no such overload',
      'no such overload',
      'true',
      'true',
      'true',
      'false',
      'true',
      'false',
      'invalid qualifier type: *common.reflectSchemalessTypedStruct',
      'invalid qualifier type: *common.reflectSchemalessTypedMap',
      'unsupported map key type: types.Int',
      'unsupported map key type: types.Int',
    ])
  })

  it('are maps and lists before', async () => {
    expect(await evaluated('1.36', EXPRESSIONS)).toEqual([
      'no such key: 0',
      'no such key: true',
      'false',
      'false',
      'true',
      'd',
      'false',
      'false',
      'true',
      'true',
      'false',
      'false',
      'true',
      'false',
      'invalid qualifier type: map[string]interface {}',
      'invalid qualifier type: map[string]interface {}',
      'no such key: 1',
      'no such key: 1',
    ])
  })
})
