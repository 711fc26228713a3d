import { describe, expect, it } from 'vitest'
import { nodeAuthorizer } from '../../src/engine/authorization/node/authorizer'
import { NODE_RULES } from '../../src/engine/authorization/node/rules'
import { unionAuthorizer } from '../../src/engine/authorization/union'
import type { KubeObject } from '../../src/engine/core/object'
import { BOOTSTRAP_OBJECTS } from '../../src/engine/generated/bootstrap-objects'
import { createMemoryStorage } from '../../src/engine/storage/memory'

const NODE = { name: 'system:node:n1', groups: ['system:nodes'] }

async function storageWith(objects: Record<string, Partial<KubeObject>>) {
  const storage = createMemoryStorage()
  for (const [key, object] of Object.entries(objects)) {
    const whole = {
      kind: '',
      apiVersion: 'v1',
      ...object,
      metadata: { name: key, resourceVersion: '0', ...object.metadata },
    }
    await storage.transaction([], [{ type: 'put', key: `/registry/${key}`, object: whole }])
  }
  return storage
}

const request = (resource: string, name: string, extra = {}) => ({
  user: NODE,
  verb: 'get',
  isResource: true,
  path: '',
  group: '',
  version: 'v1',
  resource,
  subresource: '',
  namespace: 'a',
  name,
  ...extra,
})

const pod = (nodeName: string, spec = {}, metadata = {}) => ({
  metadata,
  spec: { nodeName, containers: [], ...spec },
})

describe('the Node authorizer', () => {
  it('grants the rules of system:node', () => {
    const made = JSON.parse(BOOTSTRAP_OBJECTS) as { object: KubeObject }[]
    const role = made.find(
      ({ object }) => object.kind === 'ClusterRole' && object.metadata.name === 'system:node',
    )
    expect(NODE_RULES).toEqual(role?.object.rules)
  })

  it('follows claims to volumes and their secrets', async () => {
    const storage = await storageWith({
      'pods/a/p': pod('n1', {
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
      }),
      'persistentvolumes/pv': {
        spec: {
          claimRef: { namespace: 'a', name: 'c' },
          csi: { nodeStageSecretRef: { name: 's', namespace: 'b' } },
        },
      },
    })
    const { authorize } = nodeAuthorizer(storage)
    expect(await authorize(request('persistentvolumeclaims', 'c'))).toMatchObject({
      decision: 'allow',
    })
    expect(await authorize(request('persistentvolumes', 'pv', { namespace: '' }))).toMatchObject({
      decision: 'allow',
    })
    expect(await authorize(request('secrets', 's', { namespace: 'b' }))).toMatchObject({
      decision: 'allow',
    })
    expect(await authorize(request('secrets', 's'))).toMatchObject({ decision: 'noOpinion' })
  })

  it('resolves the generated claims of ephemeral volumes', async () => {
    const { authorize } = nodeAuthorizer(
      await storageWith({
        'pods/a/p': pod('n1', { volumes: [{ name: 'scratch', ephemeral: {} }] }, { name: 'p' }),
      }),
    )
    expect(await authorize(request('persistentvolumeclaims', 'p-scratch'))).toMatchObject({
      decision: 'allow',
    })
  })

  it('grants nothing for mirror pods or for pods of other nodes', async () => {
    const volumes = [{ name: 'v', secret: { secretName: 's' } }]
    const storage = await storageWith({
      'pods/a/mirror': pod(
        'n1',
        { volumes },
        { annotations: { 'kubernetes.io/config.mirror': 'x' } },
      ),
      'pods/a/other': pod('n2', { volumes }),
    })
    const verdict = await nodeAuthorizer(storage).authorize(request('secrets', 's'))
    expect(verdict).toEqual({
      decision: 'noOpinion',
      reason: "no relationship found between node 'n1' and this object",
    })
  })

  it('has no opinion on users that are not nodes', async () => {
    const stranger = { name: 'system:node:n1', groups: ['system:authenticated'] }
    const { authorize } = nodeAuthorizer(await storageWith({}))
    expect(await authorize(request('nodes', 'n1', { user: stranger }))).toEqual({
      decision: 'noOpinion',
      reason: '',
    })
  })
})

describe('the Node authorizer with dynamic resource allocation', () => {
  const dynamic = (name: string, extra = {}) =>
    request(name, '', { group: 'resource.k8s.io', version: 'v1alpha3', ...extra })

  it('follows the ResourceClaims of pods, including generated ones', async () => {
    const storage = await storageWith({
      'pods/a/p': {
        ...pod('n1', { resourceClaims: [{ name: 'r', resourceClaimName: 'given' }] }),
        status: { resourceClaimStatuses: [{ name: 's', resourceClaimName: 'made' }] },
      },
      'pods/a/q': pod('n2', { resourceClaims: [{ name: 'r', resourceClaimName: 'other' }] }),
    })
    const { authorize } = nodeAuthorizer(storage)
    const decision = async (name: string, verb = 'get') =>
      (await authorize(dynamic('resourceclaims', { name, verb }))).decision
    expect([await decision('given'), await decision('made')]).toEqual(['allow', 'allow'])
    expect([await decision('other'), await decision('given', 'update')]).toEqual([
      'noOpinion',
      'noOpinion',
    ])
  })

  it('allows a node its own ResourceSlices', async () => {
    const storage = await storageWith({
      'resourceslices/mine': { spec: { nodeName: 'n1' } },
      'resourceslices/yours': { spec: { nodeName: 'n2' } },
    })
    const sendRequest = async (verb: string, name: string, extra = {}, selectors = false) =>
      nodeAuthorizer(storage, { selectors }).authorize(
        dynamic('resourceslices', { verb, name, namespace: '', ...extra }),
      )
    for (const verb of ['get', 'update', 'patch', 'delete']) {
      expect(await sendRequest(verb, 'mine')).toMatchObject({ decision: 'allow' })
      expect(await sendRequest(verb, 'yours')).toMatchObject({ decision: 'noOpinion' })
    }
    expect(await sendRequest('list', '')).toMatchObject({ decision: 'allow' })
    expect(await sendRequest('list', '', {}, true)).toMatchObject({ decision: 'noOpinion' })
    const own = {
      fieldSelector: {
        requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }],
        unreadable: false,
      },
    }
    expect(await sendRequest('list', '', own, true)).toMatchObject({ decision: 'allow' })
    expect(await sendRequest('get', 'mine', { subresource: 'status' })).toMatchObject({
      reason: 'cannot authorize ResourceSlice subresources',
    })
  })

  it('decides the same where the resource.k8s.io group is not served', async () => {
    const { authorize } = nodeAuthorizer(await storageWith({}))
    const slices = (verb: string, name = '') =>
      authorize(dynamic('resourceslices', { verb, name, namespace: '' }))
    for (const verb of ['list', 'watch', 'create', 'deletecollection'])
      expect(await slices(verb)).toMatchObject({ decision: 'allow' })
    for (const verb of ['get', 'update', 'patch', 'delete']) {
      expect(await slices(verb)).toEqual({ decision: 'noOpinion', reason: 'No Object name found' })
      const reason = "no relationship found between node 'n1' and this object"
      expect(await slices(verb, 's')).toEqual({ decision: 'noOpinion', reason })
    }
    expect(await authorize(dynamic('resourceclaims', { verb: 'list' }))).toEqual({
      decision: 'noOpinion',
      reason: 'can only get individual resources of this type',
    })
  })

  it.each(['persistentvolumeclaims', 'persistentvolumes'])(
    'allows no %s without a name, and no subresource',
    async (resource) => {
      const { authorize } = nodeAuthorizer(await storageWith({}))
      expect(await authorize(request(resource, ''))).toEqual({
        decision: 'noOpinion',
        reason: 'No Object name found',
      })
      const status = request(resource, '', { subresource: 'other' })
      expect(await authorize(status)).toEqual({
        decision: 'noOpinion',
        reason: 'cannot get subresource',
      })
    },
  )

  it('allows ClusterTrustBundles where they are served', async () => {
    const storage = await storageWith({})
    const bundles = request('clustertrustbundles', 'b', {
      group: 'certificates.k8s.io',
      namespace: '',
    })
    expect(await nodeAuthorizer(storage, { trustBundles: true }).authorize(bundles)).toMatchObject({
      decision: 'allow',
    })
    expect(await nodeAuthorizer(storage).authorize(bundles)).toMatchObject({
      decision: 'noOpinion',
    })
  })
})

describe('several authorizers', () => {
  const stating = (reason: string) => ({
    authorize: () => ({ decision: 'noOpinion' as const, reason }),
  })

  it('join the reasons of those without an opinion', async () => {
    expect(
      await unionAuthorizer([stating('one'), stating(''), stating('two')]).authorize(
        request('pods', 'p'),
      ),
    ).toEqual({
      decision: 'noOpinion',
      reason: 'one\ntwo',
    })
  })

  it('stop at the first that decides', async () => {
    const denying = { authorize: async () => ({ decision: 'deny' as const, reason: 'no' }) }
    const allowing = { authorize: () => ({ decision: 'allow' as const, reason: '' }) }
    expect(
      await unionAuthorizer([stating('one'), denying, allowing]).authorize(request('pods', 'p')),
    ).toEqual({
      decision: 'deny',
      reason: 'no',
    })
  })
})

describe('nodes with AuthorizeNodeWithSelectors', () => {
  const list = (
    name: string,
    verb = 'list',
    fields: { key: string; operator: string; values: string[] }[] = [],
  ) => request('pods', name, { verb, fieldSelector: { requirements: fields } })

  it('list and watch pods bound to them, or one pod by name', async () => {
    const storage = await storageWith({ 'pods/a/mine': pod('n1'), 'pods/a/other': pod('n2') })
    const { authorize } = nodeAuthorizer(storage, { selectors: true })
    const named = (name: string) => [{ key: 'metadata.name', operator: 'In', values: [name] }]
    expect(
      await authorize(list('', 'list', [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }])),
    ).toMatchObject({
      decision: 'allow',
    })
    for (const verb of ['list', 'watch']) {
      expect(await authorize(list('mine', verb, named('mine')))).toMatchObject({
        decision: 'allow',
      })
      expect(await authorize(list('other', verb, named('other')))).toEqual({
        decision: 'noOpinion',
        reason: "no relationship found between node 'n1' and this object",
      })
      expect(await authorize(list('', verb))).toMatchObject({
        reason: 'can only list/watch pods with spec.nodeName field selector',
      })
    }
  })
})
