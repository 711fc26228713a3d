/** Kinds that graduated after the base release, and rules of members that came later. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.37'))

type Server = ReturnType<typeof testServer>
const post = (server: Server, path: string, body: object) =>
  sendRequest(server, { method: 'POST', path, body })
const patch = (server: Server, path: string, body: object, type = 'merge') =>
  sendRequest(server, {
    method: 'PATCH',
    path,
    headers: { 'content-type': `application/${type}-patch+json` },
    body,
  })
const causesOf = (json: { details?: { causes?: { field: string; message: string }[] } }) =>
  json.details?.causes?.map(({ field, message }) => `${field}: ${message}`)
const newest = (): Server => testServer({ release: '1.37' })

describe('a storage version migration', () => {
  const MIGRATIONS = '/apis/storagemigration.k8s.io/v1/storageversionmigrations'
  const secrets = {
    metadata: { name: 'm' },
    spec: { resource: { group: '', resource: 'secrets' } },
  }

  it('names a resource without a version, and keeps it', async () => {
    const server = newest()
    expect((await post(server, MIGRATIONS, secrets)).status).toBe(201)
    const moved = await patch(server, `${MIGRATIONS}/m`, { spec: { resource: { resource: 'x' } } })
    expect(causesOf(moved.json)).toEqual(['resource: Invalid value: "x": field is immutable'])
  })

  it('stays ended', async () => {
    const server = newest()
    await post(server, MIGRATIONS, secrets)
    const end = (type: string) => {
      const reason = 'R'
      const condition = { type, status: 'True', reason, message: '' }
      const lastTransitionTime = '2026-01-01T00:00:00Z'
      return patch(server, `${MIGRATIONS}/m/status`, {
        status: { conditions: [{ ...condition, lastTransitionTime }] },
      })
    }
    expect((await end('Succeeded')).status).toBe(200)
    expect(causesOf((await end('Failed')).json)?.[0]).toMatch(
      /^status\.conditions: .*: Success condition cannot be set to false once it is true$/,
    )
  })
})

describe('a pod certificate request', () => {
  const REQUESTS = '/apis/certificates.k8s.io/v1/namespaces/default/podcertificaterequests'
  const spec = {
    signerName: 'example.com/a',
    podName: 'p',
    podUID: 'pu',
    serviceAccountName: 's',
    serviceAccountUID: 'su',
    nodeName: 'n',
    nodeUID: 'nu',
    stubPKCS10Request: 'AA==',
  }

  it('lasts a day by default, and is immutable', async () => {
    const server = newest()
    const { json } = await post(server, REQUESTS, { metadata: { name: 'r' }, spec })
    expect(json.spec.maxExpirationSeconds).toBe(86_400)
    const moved = await patch(server, `${REQUESTS}/r`, { spec: { nodeUID: 'x' } })
    expect(causesOf(moved.json)?.[0]).toMatch(/^spec: Invalid value: \{.*: field is immutable$/)
  })

  it('names its requester, and how long the certificate may last', async () => {
    const wrong = { ...spec, signerName: '', podUID: '', nodeName: 'N', maxExpirationSeconds: 60 }
    const { json } = await post(newest(), REQUESTS, { metadata: { name: 'r' }, spec: wrong })
    expect(causesOf(json)).toEqual([
      'spec.signerName: Required value',
      'spec.podUID: Invalid value: "": must not be empty',
      expect.stringMatching(/^spec\.nodeName: Invalid value: "N": a lowercase RFC 1123 subdomain/),
      'spec.maxExpirationSeconds: Invalid value: 60: must be in the range [3600, 7862400]',
    ])
  })
})

describe('a ServiceCIDR', () => {
  const RANGES = '/apis/networking.k8s.io/v1/servicecidrs'
  const change = async (release: string, cidrs: string[]) => {
    const server = testServer({ release })
    await post(server, RANGES, { metadata: { name: 'c' }, spec: { cidrs: ['10.0.0.0/24'] } })
    return causesOf((await patch(server, `${RANGES}/c`, { spec: { cidrs } })).json)
  }

  it('may get a range of the other family since 1.34', async () => {
    const both = ['10.0.0.0/24', 'fd00::/64']
    expect(await change('1.35', both)).toBeUndefined()
    expect(await change('1.33', both)).toHaveLength(1)
    expect(await change('1.35', ['10.1.0.0/24'])).toEqual([
      'spec.cidrs[0]: Invalid value: "10.1.0.0/24": field is immutable',
    ])
  })
})

describe('structures in errors', () => {
  const JOBS = '/apis/batch/v1/namespaces/default/jobs'
  const container = { name: 'c', image: 'x' }
  const job = {
    metadata: { name: 'j' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  }
  const printed = async (release: string) => {
    const server = testServer({ release })
    await post(server, JOBS, job)
    const body = { spec: { template: { spec: { hostname: 'h' } } } }
    return causesOf((await patch(server, `${JOBS}/j`, body, 'strategic-merge')).json)?.join()
  }

  it('have the members of the release', async () => {
    expect(await printed('1.35')).toContain('"HostnameOverride":null,"WorkloadRef":null}}: field')
    expect(await printed('1.37')).toContain('"SchedulingGroup":null')
    expect(await printed('1.37')).not.toContain('WorkloadRef')
    expect(await printed('1.31')).not.toContain('HostnameOverride')
  })
})

describe('at 1.37', () => {
  it('a node keeps its provider', async () => {
    const server = newest()
    await post(server, '/api/v1/nodes', { metadata: { name: 'n' }, spec: { providerID: 'a' } })
    const change = async (providerID: string | null) =>
      causesOf((await patch(server, '/api/v1/nodes/n', { spec: { providerID } })).json)
    expect(await change('b')).toEqual([
      'spec.providerID: Invalid value: null: field cannot be modified once set',
    ])
    expect(await change(null)).toEqual([
      'spec.providerID: Invalid value: null: field cannot be cleared once set',
    ])
  })

  it('a headless service with external addresses has one warning about them', async () => {
    const spec = { clusterIP: 'None', externalIPs: ['192.0.2.1'], ports: [{ port: 1 }] }
    const path = '/api/v1/namespaces/default/services'
    const { headers } = await post(newest(), path, { metadata: { name: 's' }, spec })
    expect(headers.get('warning')).toBe('299 - "spec.externalIPs is ignored for headless services"')
  })

  it('YAML that cannot be read as JSON is not encoded', async () => {
    const apply = (release: string, body: string) =>
      sendRequest(testServer({ release }), {
        method: 'PATCH',
        path: '/api/v1/namespaces/default/configmaps/a?fieldManager=m',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body,
      })
    expect((await apply('1.37', 'a: *x')).json.message).toBe(
      "error encoding patch: yaml: unknown anchor 'x' referenced",
    )
    expect((await apply('1.37', '{"a": 1')).json.message).toMatch(/^error decoding patch: /)
    expect((await apply('1.35', 'a: *x')).json.message).toMatch(/^error decoding YAML: /)
  })

  it('errors about a Windows pod begin with its security context', async () => {
    const spec = {
      os: { name: 'windows' },
      hostPID: true,
      securityContext: { runAsUser: 1 },
      containers: [{ name: 'c', image: 'x' }],
    }
    const fields = async (release: string) => {
      const server = testServer({ release })
      const namespace = '/api/v1/namespaces/default'
      await post(server, `${namespace}/serviceaccounts`, { metadata: { name: 'default' } })
      const { json } = await post(server, `${namespace}/pods`, { metadata: { name: 'p' }, spec })
      return json.details.causes.map(({ field }: { field: string }) => field)
    }
    expect(await fields('1.37')).toEqual(['spec.securityContext.runAsUser', 'spec.hostPID'])
    expect(await fields('1.31')).toEqual(['spec.hostPID', 'spec.securityContext.runAsUser'])
  })
})

describe('errors of values of a wrong type', () => {
  const message = async (release: string, spec: object) => {
    const body = { metadata: { name: 'p' }, spec }
    const server = testServer({ release })
    return (await post(server, '/api/v1/namespaces/default/pods', body)).json.message
  }

  it.each<[string, object]>([
    [
      'spec.containers.livenessProbe.ProbeHandler.httpGet.port',
      { containers: [{ livenessProbe: { httpGet: { port: 1.5 } } }] },
    ],
    ['spec.volumes.VolumeSource.hostPath.path', { volumes: [{ hostPath: { path: 1 } }] }],
    ['spec.volumes.name', { volumes: [{ name: 1 }] }],
    [
      'spec.containers.env.valueFrom.secretKeyRef.LocalObjectReference.name',
      { containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 1 } } }] }] },
    ],
  ])('name %s since 1.35', async (path, spec) => {
    expect(await message('1.35', spec)).toContain(`.${path} of type `)
    const plain = path.replace(/(?<=\.)[A-Z]\w+\./g, '')
    expect(await message('1.33', spec)).toContain(`.${plain} of type `)
  })
})

describe('members of pods and autoscalers', () => {
  const NAMESPACE = '/api/v1/namespaces/default'
  const created = async (release: string, spec: object) => {
    const server = testServer({ release })
    await post(server, `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } })
    const automountServiceAccountToken = false
    const body = { metadata: { name: 'p' }, spec: { automountServiceAccountToken, ...spec } }
    return (await post(server, `${NAMESPACE}/pods`, body)).json
  }
  const container = { name: 'c', image: 'x' }

  it('are dropped while their feature is off', async () => {
    const { spec } = await created('1.37', {
      schedulingGroup: { podGroupName: 'g' },
      volumes: [{ name: 'v', emptyDir: { mode: 448 } }],
      containers: [{ ...container, lifecycle: { stopSignal: 'SIGTERM' } }],
    })
    expect(spec.schedulingGroup).toBeUndefined()
    expect(spec.volumes).toEqual([{ name: 'v', emptyDir: {} }])
    expect(spec.containers[0].lifecycle).toBeUndefined()
  })

  it('are variables of files', async () => {
    const withFile = (fileKeyRef: object) => ({
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [{ ...container, env: [{ name: 'E', valueFrom: { fileKeyRef } }] }],
    })
    const file = { volumeName: 'v', path: 'a', key: 'K' }
    expect((await created('1.37', withFile(file))).kind).toBe('Pod')
    const wrong = await created('1.37', withFile({ volumeName: '', path: '../a', key: '' }))
    const path = 'spec.containers[0].env[0].valueFrom.fileKeyRef'
    expect(causesOf(wrong)).toEqual([
      `${path}.key: Required value`,
      `${path}.volumeName: Required value`,
      `${path}.path: Invalid value: "../a": must not contain '..'`,
      `${path}.volumeName: Not found: ""`,
    ])
  })

  it('are a tolerance of at least zero', async () => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
    const behavior = { scaleUp: { tolerance: '-1' } }
    const spec = { maxReplicas: 3, scaleTargetRef, behavior }
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
    const { json } = await post(newest(), path, { metadata: { name: 'h' }, spec })
    expect(causesOf(json)).toEqual([
      'spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0',
    ])
  })
})
