import { describe, expect, test } from 'vitest'
import { sendRequest, testServer } from '../support/server'

const server = testServer({ disableAdmissionPlugins: ['ServiceAccount'] })
const dryRun = (path: string, body: unknown) =>
  sendRequest(server, { method: 'POST', path: `${path}?dryRun=All`, body })
const causes = (json: { details?: { causes?: { field: string; message: string }[] } }) =>
  (json.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)

const container = { name: 'app', image: 'nginx:1.27' }

describe('values', () => {
  test('rejects a list as a quantity, even if its text would be one', async () => {
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { pods: ['1'] } },
    }
    const { status, json } = await dryRun('/api/v1/namespaces/default/resourcequotas', quota)
    expect(status).toBe(400)
    expect(json.message).toContain('quantities must match the regular expression')
  })

  test('accepts in node affinity what no label can match', async () => {
    const expressions = [{ key: 'a', operator: 'In', values: ['-1'] }]
    const affinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: expressions }],
      },
    }
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [container], affinity: { nodeAffinity: affinity } },
    }
    const { json } = await dryRun('/api/v1/namespaces/default/pods', pod)
    expect(causes(json)).toEqual([])
  })

  test('validates the node affinity keys of persistent volumes', async () => {
    const required = {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'a/b/c', operator: 'Exists' }] }],
    }
    const spec = {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/x' },
      nodeAffinity: { required },
    }
    const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec }
    const { json } = await dryRun('/api/v1/persistentvolumes', volume)
    expect(causes(json)).toHaveLength(1)
    expect(causes(json)[0]).toMatch(
      /^spec\.nodeAffinity\.required\.nodeSelectorTerms\[0\]\.matchExpressions\[0\]\.key: Invalid value: "a\/b\/c"/,
    )
  })

  test('defaults imagePullPolicy of an invalid image to IfNotPresent', async () => {
    const template = { spec: { containers: [{ name: 'c', image: '../x' }] } }
    const { json } = await dryRun('/api/v1/namespaces/default/podtemplates', {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 't' },
      template,
    })
    expect(json.template.spec.containers[0].imagePullPolicy).toBe('IfNotPresent')
  })

  test('lists the valid policies for an invalid job policy', async () => {
    const job = (restartPolicy: string) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j' },
      spec: { template: { spec: { restartPolicy, containers: [container] } } },
    })
    const jobs = '/apis/batch/v1/namespaces/default/jobs'
    const why = async (policy: string) =>
      causes((await dryRun(jobs, job(policy))).json).filter((cause) => cause.includes('OnFailure'))
    expect(await why('Always')).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ])
    expect(await why('Perhaps')).toContain(
      'spec.template.spec.restartPolicy: Unsupported value: "Perhaps": supported values: "OnFailure", "Never"',
    )
  })

  test('rejects a storage class topology without expressions', async () => {
    const storageClass = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 's' },
      provisioner: 'x.io/y',
      allowedTopologies: [{}],
    }
    expect(
      causes((await dryRun('/apis/storage.k8s.io/v1/storageclasses', storageClass)).json),
    ).toEqual(['allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'])
  })
})

test('an admission webhook service without a name: the error names its namespace', async () => {
  const webhook = {
    name: 'a.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { service: { namespace: 'default' } },
  }
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'w' },
    webhooks: [webhook],
  }
  const { json } = await dryRun(
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    configuration,
  )
  expect(causes(json)).toEqual([
    'webhooks[0].clientConfig.service.namespace: Required value: service namespace is required',
  ])
})

describe('a schema of a CustomResourceDefinition', () => {
  const schemaCauses = async (schema: object) => {
    const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' }
    const versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
    ]
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions }
    const body = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec,
    }
    return causes(
      (await dryRun('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body)).json,
    )
  }
  const at = 'spec.validation.openAPIV3Schema'
  const wrongDefault = { type: 'string', default: 1 }

  test('is validated before its defaults', async () => {
    expect(await schemaCauses({ type: 'object', properties: { a: {}, b: wrongDefault } })).toEqual([
      `${at}.properties[a].type: Required value: must not be empty for specified object fields`,
    ])
    expect((await schemaCauses({ type: 'object', properties: { b: wrongDefault } }))[0]).toContain(
      `${at}.properties[b].default: Invalid value`,
    )
  })

  test('with a false marker is not validated as structural', async () => {
    expect(
      await schemaCauses({
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': false,
        properties: { a: {} },
      }),
    ).toEqual([
      `${at}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ])
  })

  test('with an unknown type at the root gets both errors', async () => {
    expect(await schemaCauses({ type: 'Thing' })).toEqual([
      `${at}.type: Invalid value: "Thing": must be object at the root`,
      `${at}.type: Unsupported value: "Thing": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ])
  })
})

describe('an update', () => {
  test('validates tolerations twice: those of any pod and the added ones', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'tolerant' },
      spec: { containers: [container] },
    }
    await sendRequest(server, {
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      body: pod,
    })
    const { json } = await sendRequest(server, {
      method: 'PATCH',
      path: '/api/v1/namespaces/default/pods/tolerant?dryRun=All',
      headers: { 'content-type': 'application/json-patch+json' },
      body: [{ op: 'add', path: '/spec/tolerations/-', value: {} }],
    })
    const [first, second, ...others] = causes(json)
    expect(first).toMatch(
      /^spec\.tolerations\[\d\]\.operator: Invalid value: "": operator must be Exists when `key` is empty/,
    )
    expect([second, others]).toEqual([first, []])
  })

  test('validates a driver by the rules of its version only when it is new', async () => {
    const path = '/apis/storage.k8s.io/v1/volumeattachments'
    const spec = { attacher: 'x.io', nodeName: 'n', source: { persistentVolumeName: 'v' } }
    const attachment = (persistentVolumeName: string) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'a' },
      spec: { ...spec, source: { persistentVolumeName } },
    })
    expect(causes((await dryRun(path, attachment('/'))).json)[0]).toContain(
      'spec.source.persistentVolumeName: Invalid value: "/"',
    )
    await sendRequest(server, { method: 'POST', path, body: attachment('v') })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { spec: { source: { persistentVolumeName: '/' } } }
    const { json } = await sendRequest(server, {
      method: 'PATCH',
      path: `${path}/a`,
      headers,
      body,
    })
    expect(json.details.causes.map(({ field }: { field: string }) => field)).toEqual(['spec'])
  })
})

// The tests of kube-apiserver write the status of a namespace this way.
describe('a status that is written without its phase', () => {
  const claim = { resources: { requests: { storage: '2Gi' } }, accessModes: ['ReadWriteMany'] }
  const volume = {
    capacity: { storage: '2Gi' },
    accessModes: ['ReadWriteMany'],
    hostPath: { path: '/srv' },
  }
  test.each([
    ['/api/v1/namespaces', {}, 'Active'],
    ['/api/v1/persistentvolumes', volume, 'Pending'],
    ['/api/v1/namespaces/default/persistentvolumeclaims', claim, 'Pending'],
  ])('at %s gets the first phase', async (path, spec, phase) => {
    const body = { metadata: { name: 'phaseless' }, spec }
    expect((await sendRequest(server, { method: 'POST', path, body })).status).toBe(201)
    const { status, json } = await sendRequest(server, {
      method: 'PUT',
      path: `${path}/phaseless/status`,
      body,
    })
    expect([status, json.status.phase]).toEqual([200, phase])
  })
})
