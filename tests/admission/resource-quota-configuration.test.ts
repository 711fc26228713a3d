import { describe, expect, it } from 'vitest'
import { FileError } from '../../src/engine/core/environment'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { testServer } from './server'

const files = (texts: Record<string, string>): Pick<ApiServerOptions, 'files'> => ({
  files: {
    read(path) {
      const text = texts[path]
      if (text === undefined) throw new FileError(path, 'no such file or directory')
      return text
    },
  },
})

const FILE = '/etc/admission.yaml'
const plugins = (...entries: string[]) =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n${entries.join('')}`
const configured = (
  text: string,
  more: Partial<ApiServerOptions> = {},
  others: Record<string, string> = {},
) =>
  testServer({ admissionControlConfigFile: FILE, ...files({ [FILE]: text, ...others }), ...more })

describe('ResourceQuota', () => {
  const reported = (
    limitedResources: unknown,
    kind = 'ResourceQuotaConfiguration',
    apiVersion = 'apiserver.config.k8s.io/v1',
  ) =>
    configured(
      plugins(
        `- {name: ResourceQuota, configuration: ${JSON.stringify({ apiVersion, kind, limitedResources })}}\n`,
      ),
    )
  const QUOTAS = '/api/v1/namespaces/shop/resourcequotas'
  async function quota(
    server: ReturnType<typeof testServer>,
    name: string,
    hard: Record<string, string>,
    spec = {},
  ) {
    const used = Object.fromEntries(Object.keys(hard).map((entry) => [entry, '0']))
    await server.send('POST', QUOTAS, { metadata: { name }, spec: { hard, ...spec } })
    await server.send('PUT', `${QUOTAS}/${name}/status`, {
      metadata: { name },
      status: { hard, used },
    })
  }
  const claim = (name: string, storageClassName = 'gold') => ({
    metadata: { name },
    spec: {
      storageClassName,
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  })

  it('forbids limited resources unless a quota covers them', async () => {
    const limited = [
      {
        resource: 'persistentvolumeclaims',
        matchContains: ['gold.storageclass.storage.k8s.io/', 'count/'],
      },
    ]
    const server = reported(limited)
    await server.namespace('shop')
    const send = async (name: string, storageClassName?: string) => {
      const response = await server.send(
        'POST',
        '/api/v1/namespaces/shop/persistentvolumeclaims',
        claim(name, storageClassName),
      )
      return response.status === 201 || response.body.message
    }
    const gold = 'gold.storageclass.storage.k8s.io'
    const rejected = (what: string) =>
      `persistentvolumeclaims "a" is forbidden: insufficient quota to consume: ${what}`
    expect(await send('a')).toBe(
      rejected(
        `count/persistentvolumeclaims,${gold}/persistentvolumeclaims,${gold}/requests.storage`,
      ),
    )
    await quota(server, 'all', { 'count/persistentvolumeclaims': '9', pods: '9' })
    expect(await send('a')).toBe(
      rejected(`${gold}/persistentvolumeclaims,${gold}/requests.storage`),
    )
    expect(await send('a', 'silver')).toBe(true)
    await quota(server, 'gold', {
      [`${gold}/requests.storage`]: '1Gi',
      [`${gold}/persistentvolumeclaims`]: '2',
    })
    expect(await send('b')).toBe(true)
    expect(await send('c')).toContain('exceeded quota: gold, requested: ')
  })

  it('admits pods to a limited scope only if a quota has that scope', async () => {
    const matchScopes = [
      {
        scopeName: 'PriorityClass',
        operator: 'In',
        values: ['system-node-critical', 'system-cluster-critical'],
      },
      { scopeName: 'BestEffort', operator: 'Exists' },
    ]
    const server = reported(
      [{ resource: 'pods', matchScopes }],
      'Configuration',
      'resourcequota.admission.k8s.io/v1beta1',
    )
    await server.namespace('shop')
    const resources = { limits: { cpu: '1', memory: '1Gi' } }
    const guaranteed = { containers: [{ name: 'c', image: 'i', resources }] }
    expect((await server.pod('shop', guaranteed, { name: 'free' })).status).toBe(201)
    const rejected = await server.pod('shop', { priorityClassName: 'system-node-critical' })
    const critical = '{PriorityClass In [system-node-critical system-cluster-critical]}'
    const message = `insufficient quota to match these scopes: [${critical} {BestEffort Exists []}]`
    expect([rejected.status, rejected.body]).toEqual([
      500,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 },
    ])
    await quota(server, 'low', { pods: '9' }, { scopes: ['BestEffort'] })
    const matchExpressions = [
      { scopeName: 'PriorityClass', operator: 'In', values: ['system-cluster-critical'] },
    ]
    await quota(server, 'critical', { pods: '9' }, { scopeSelector: { matchExpressions } })
    expect(
      (await server.pod('shop', { priorityClassName: 'system-node-critical' })).body.message,
    ).toBe(`insufficient quota to match these scopes: [${critical}]`)
    expect(
      (await server.pod('shop', { priorityClassName: 'system-cluster-critical' })).status,
    ).toBe(201)
  })

  it.each([
    [
      [{ matchContains: ['a'] }, {}],
      'ResourceQuotaConfiguration',
      '[limitedResources[0].resource: Required value, limitedResources[1].',
    ],
    [[], 'Unknown', 'no kind "Unknown" is registered for version "apiserver.config.k8s.io/v1"'],
    [
      [],
      'Configuration',
      'no kind "Configuration" is registered for version "apiserver.config.k8s.io/v1"',
    ],
  ])('rejects %j of kind %s', (limited, kind, why) => {
    expect(() => reported(limited, kind)).toThrow(why)
  })
})
