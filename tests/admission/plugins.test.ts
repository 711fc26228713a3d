import { describe, expect, it } from 'vitest'
import { OptionError } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { testServer } from './server'

describe('the selection of admission plugins', () => {
  it('rejects unknown names with the message of kube-apiserver', () => {
    expect(() => testServer({ enableAdmissionPlugins: ['Nope'] })).toThrow(
      new OptionError('enable-admission-plugins plugin "Nope" is unknown'),
    )
    expect(() =>
      testServer({ enableAdmissionPlugins: ['A'], disableAdmissionPlugins: ['B'] }),
    ).toThrow(
      '[enable-admission-plugins plugin "A" is unknown, disable-admission-plugins plugin "B" is unknown]',
    )
  })

  it('rejects a plugin that is both enabled and disabled', () => {
    const both = {
      enableAdmissionPlugins: ['Priority', 'LimitRanger'],
      disableAdmissionPlugins: ['LimitRanger', 'Priority'],
    }
    expect(() => testServer(both)).toThrow(
      '[LimitRanger Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
    )
  })

  it('rejects plugins that are not implemented', () => {
    expect(() => testServer({ enableAdmissionPlugins: ['ImagePolicyWebhook'] })).toThrow(
      'admission plugin "ImagePolicyWebhook" is not there yet',
    )
  })

  it('skips disabled plugins', async () => {
    const server = testServer({
      disableAdmissionPlugins: ['ServiceAccount', 'DefaultTolerationSeconds'],
    })
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } })
    const { status, body } = await server.pod('n')
    expect(status).toBe(201)
    expect(body.spec.serviceAccountName).toBeUndefined()
    expect(body.spec.tolerations).toBeUndefined()
    expect(body.spec.priority).toBe(0)
  })

  it('denies all writes with AlwaysDeny', async () => {
    const server = testServer({ enableAdmissionPlugins: ['AlwaysDeny'] })
    const { status, body } = await server.send('POST', '/api/v1/namespaces', {
      metadata: { name: 'n' },
    })
    expect(status).toBe(403)
    expect(body.message).toBe(
      'namespaces "n" is forbidden: admission control is denying all modifications',
    )
    expect((await server.send('GET', '/api/v1/namespaces')).status).toBe(200)
  })
})

describe('plugins that are off by default', () => {
  it('NamespaceAutoProvision creates the namespace of a new object', async () => {
    const server = testServer({ enableAdmissionPlugins: ['NamespaceAutoProvision'] })
    expect(
      (await server.send('POST', '/api/v1/namespaces/new/configmaps', { metadata: { name: 'c' } }))
        .status,
    ).toBe(201)
    expect((await server.send('GET', '/api/v1/namespaces/new')).body.status.phase).toBe('Active')
    const rejected = await server.send('POST', '/api/v1/namespaces/-/configmaps', {
      metadata: { name: 'c' },
    })
    expect([rejected.status, rejected.body.message]).toEqual([
      403,
      expect.stringContaining('configmaps "c" is forbidden: Namespace "-" is invalid: '),
    ])
  })

  it('AlwaysPullImages sets imagePullPolicy Always', async () => {
    const server = testServer({ enableAdmissionPlugins: ['AlwaysPullImages'] })
    await server.namespace('n')
    expect((await server.pod('n')).body.spec.containers?.[0]?.imagePullPolicy).toBe('Always')
  })

  it('PodNodeSelector adds the selector of the namespace and rejects conflicts', async () => {
    const server = testServer({ enableAdmissionPlugins: ['PodNodeSelector'] })
    await server.namespace('n', {
      annotations: { 'scheduler.alpha.kubernetes.io/node-selector': 'disk=ssd, zone=a' },
    })
    expect(
      (await server.pod('n', { nodeSelector: { gpu: 'yes' } })).body.spec.nodeSelector,
    ).toEqual({ disk: 'ssd', gpu: 'yes', zone: 'a' })
    const rejected = await server.pod('n', { nodeSelector: { zone: 'b' } })
    expect(rejected.body.message).toBe(
      'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
    )
  })

  it.each([
    ['disk', 'invalid selector: [disk]'],
    ['zone=a, disk=ssd=fast', 'invalid selector: [ disk ssd fast]'],
    [
      'disk!=ssd',
      expect.stringContaining('<nil>: Invalid value: "disk!": name part must consist of'),
    ],
    ['disk=-', expect.stringContaining('[disk]: Invalid value: "-": a valid label must be')],
  ])('PodNodeSelector rejects pods in a namespace with the selector %j', async (selector, why) => {
    const server = testServer({ enableAdmissionPlugins: ['PodNodeSelector'] })
    await server.namespace('n', {
      annotations: { 'scheduler.alpha.kubernetes.io/node-selector': selector },
    })
    const { status, body } = await server.pod('n')
    expect([status, body.message]).toEqual([500, why])
  })

  it('PodTolerationRestriction adds default tolerations and allows only listed ones', async () => {
    const server = testServer({
      enableAdmissionPlugins: ['PodTolerationRestriction'],
      disableAdmissionPlugins: ['DefaultTolerationSeconds'],
    })
    await server.namespace('n', {
      annotations: {
        'scheduler.alpha.kubernetes.io/defaultTolerations': '[{"key":"a","operator":"Exists"}]',
        'scheduler.alpha.kubernetes.io/tolerationsWhitelist': '[{"key":"a","operator":"Exists"}]',
      },
    })
    expect((await server.pod('n')).body.spec.tolerations).toEqual([
      { key: 'a', operator: 'Exists' },
    ])
    const { status, body } = await server.pod(
      'n',
      { tolerations: [{ key: 'b', operator: 'Exists' }] },
      { name: 'q' },
    )
    const why =
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist'
    expect([status, body.message]).toEqual([500, why])
  })

  it('ExtendedResourceToleration adds tolerations for requested extended resources', async () => {
    const server = testServer({ enableAdmissionPlugins: ['ExtendedResourceToleration'] })
    await server.namespace('n')
    const amounts = { 'example.com/gpu': '1', cpu: '1' }
    const containers = [
      { name: 'c', image: 'i', resources: { requests: amounts, limits: amounts } },
    ]
    const { body } = await server.pod('n', {
      containers,
      tolerations: [{ key: 'example.com/gpu', operator: 'Exists', effect: 'NoExecute' }],
    })
    const own = body.spec.tolerations
      ?.filter(({ key }) => key === 'example.com/gpu')
      .map(({ effect }) => effect)
    expect(own).toEqual(['NoExecute', 'NoSchedule'])
    const again = await server.send('PATCH', '/api/v1/namespaces/n/pods/p', {
      metadata: { labels: { a: 'b' } },
    })
    expect(again.body.spec.tolerations).toEqual(body.spec.tolerations)
  })

  it.each(['true', 'T', '1'])(
    'ServiceAccount allows only secrets of the account with the annotation value %s',
    async (value) => {
      const server = testServer()
      await server.namespace('n')
      const metadata = { annotations: { 'kubernetes.io/enforce-mountable-secrets': value } }
      await server.send('PATCH', '/api/v1/namespaces/n/serviceaccounts/default', {
        metadata,
        secrets: [{ name: 'mine' }],
      })
      const using = (secretName: string) => ({ volumes: [{ name: 'v', secret: { secretName } }] })
      expect((await server.pod('n', using('mine'))).status).toBe(201)
      expect((await server.pod('n', using('theirs'), { name: 'q' })).body.message).toContain(
        'volume with secret.secretName="theirs" is not allowed because service account default does not reference that secret',
      )
    },
  )

  it('ServiceAccount reports the index of a pull secret that the account lacks', async () => {
    const server = testServer()
    await server.namespace('n')
    const metadata = { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } }
    await server.send('PATCH', '/api/v1/namespaces/n/serviceaccounts/default', {
      metadata,
      imagePullSecrets: [{ name: 'mine' }],
    })
    const { body } = await server.pod('n', {
      imagePullSecrets: [{ name: 'mine' }, { name: 'theirs' }],
    })
    expect(body.message).toContain('imagePullSecrets[1].name="theirs" is not allowed')
  })

  it('rejects invalid resource names before the lookup', async () => {
    const server = testServer()
    await server.namespace('n')
    const account = await server.pod('n', { serviceAccountName: 'a/b' })
    expect(account.body.message).toContain(
      `error looking up service account n/a/b: invalid resource name "a/b": [may not contain '/']`,
    )
    const unnamed = await server.pod('n', { runtimeClassName: '' })
    expect([unnamed.status, unnamed.body.message]).toEqual([500, 'resource name may not be empty'])
    expect((await server.pod('n', { runtimeClassName: 'none' })).status).toBe(403)
  })

  it('NodeRestriction checks everything in a status request of a node', async () => {
    const tokens = 'admin,admin,1,"system:masters"\nkubelet,system:node:n1,,"system:nodes"\n'
    const server = testServer({ tokens, enableAdmissionPlugins: ['NodeRestriction'] })
    await server.send('POST', '/api/v1/nodes', { metadata: { name: 'n1' } })
    const write = (spec: Record<string, unknown>) =>
      server.send('PATCH', '/api/v1/nodes/n1/status', { spec }, 'kubelet')
    expect((await write({ taints: [{ key: 'a', effect: 'NoSchedule' }] })).body.message).toContain(
      'is not allowed to modify taints',
    )
    const configMap = { namespace: 'a', name: 'b', uid: 'c', kubeletConfigKey: 'd' }
    expect((await write({ configSource: { configMap } })).body.message).toContain(
      'update configSource to a new non-nil configSource',
    )
  })

  it('ServiceAccount rejects ephemeral containers in a pod without account', async () => {
    const storage = createMemoryStorage()
    const before = testServer({ storage, disableAdmissionPlugins: ['ServiceAccount'] })
    await before.namespace('n')
    expect((await before.pod('n')).body.spec).not.toHaveProperty('serviceAccountName')
    const ephemeralContainers = [{ name: 'e', image: 'i' }]
    const { status, body } = await testServer({ storage }).send(
      'PATCH',
      '/api/v1/namespaces/n/pods/p/ephemeralcontainers',
      {
        spec: { ephemeralContainers },
      },
    )
    expect([status, body.message]).toEqual([
      403,
      'pods "p" is forbidden: no service account specified for pod n/p',
    ])
  })

  it('LimitPodHardAntiAffinityTopology allows required anti-affinity by host only', async () => {
    const server = testServer({ enableAdmissionPlugins: ['LimitPodHardAntiAffinityTopology'] })
    await server.namespace('n')
    const apart = (topologyKey: string) => ({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }],
        },
      },
    })
    expect((await server.pod('n', apart('kubernetes.io/hostname'))).status).toBe(201)
    expect(
      (await server.pod('n', apart('topology.kubernetes.io/zone'), { name: 'q' })).body.message,
    ).toContain(
      'has TopologyKey topology.kubernetes.io/zone but only key kubernetes.io/hostname is allowed',
    )
  })

  it('DenyServiceExternalIPs rejects new external IPs', async () => {
    const server = testServer({ enableAdmissionPlugins: ['DenyServiceExternalIPs'] })
    await server.namespace('n')
    const service = {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] },
    }
    const { status, body } = await server.send('POST', '/api/v1/namespaces/n/services', service)
    expect(status).toBe(403)
    expect(body.message).toBe(
      'services "s" is forbidden: Use of external IPs is denied by admission control',
    )
  })

  it('OwnerReferencesPermissionEnforcement requires permission to delete', async () => {
    const server = testServer({ enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'] })
    await server.namespace('n')
    const role = {
      metadata: { name: 'writer' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get', 'patch'] }],
    }
    await server.send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/n/roles', role)
    const to = { kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'writer' }
    await server.send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/n/rolebindings', {
      metadata: { name: 'b' },
      subjects: [to],
      roleRef,
    })
    const owned = {
      metadata: {
        name: 'c',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }],
      },
    }
    const disown = { metadata: { ownerReferences: null } }
    // A new object belongs to its creator.
    expect(
      (await server.send('POST', '/api/v1/namespaces/n/configmaps', owned, 'alice')).status,
    ).toBe(201)
    const rejected = await server.send(
      'PATCH',
      '/api/v1/namespaces/n/configmaps/c',
      disown,
      'alice',
    )
    expect(rejected.status).toBe(403)
    expect(rejected.body.message).toContain("cannot set an ownerRef on a resource you can't delete")
    expect((await server.send('PATCH', '/api/v1/namespaces/n/configmaps/c', disown)).status).toBe(
      200,
    )
  })

  it('OwnerReferencesPermissionEnforcement rejects blocking owners of unknown kinds', async () => {
    const server = testServer({ enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'] })
    const owner = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      name: 'o',
      uid: 'u',
      blockOwnerDeletion: true,
    }
    const { status, body } = await server.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'c', ownerReferences: [owner] },
    })
    expect([status, body.message]).toEqual([
      403,
      'configmaps "c" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ' +
        'example.com/v1 Kind Thing: no matches for kind "Thing" in version "example.com/v1"',
    ])
  })
})
