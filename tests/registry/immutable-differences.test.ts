import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { testServer } from './server'

const MERGE = 'application/merge-patch+json'

interface ErrorBody {
  message: string
  details: { causes: { field: string; message: string }[] }
}

const lines = (...text: string[]) => [...text, ''].join('\n')

/** Returns the detail of the only error. */
async function rejection(
  server: ReturnType<typeof testServer>,
  path: string,
  spec: JsonObject,
): Promise<string> {
  const { status, body } = await server.send<ErrorBody>('PATCH', path, { spec }, MERGE)
  expect(status).toBe(422)
  return body.details.causes[0]?.message ?? ''
}

it('shows the difference of an immutable claim', async () => {
  const server = testServer()
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'fast',
  }
  await server.send('POST', claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec,
  })
  const why =
    'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
  const size = { resources: { requests: { storage: '2Gi' } } }
  expect(await rejection(server, `${claims}/data`, size)).toBe(
    lines(
      why,
      '  core.PersistentVolumeClaimSpec{',
      '  \tAccessModes: {"ReadWriteOnce"},',
      '  \tSelector:    nil,',
      '  \tResources: core.VolumeResourceRequirements{',
      '  \t\tLimits: nil,',
      '- \t\tRequests: core.ResourceList{',
      '- \t\t\ts"storage": {i: resource.int64Amount{value: 1073741824}, s: "1Gi", Format: "BinarySI"},',
      '- \t\t},',
      '+ \t\tRequests: core.ResourceList{',
      '+ \t\t\ts"storage": {i: resource.int64Amount{value: 2147483648}, s: "2Gi", Format: "BinarySI"},',
      '+ \t\t},',
      '  \t},',
      '  \tVolumeName:       "",',
      '  \tStorageClassName: &"fast",',
      '  \t... // 4 identical fields',
      '  }',
    ),
  )
  // The mutable volumeName appears with its new value, while an immutable difference is shown.
  expect(
    await rejection(server, `${claims}/data`, { volumeName: 'pv-x', storageClassName: 'slow' }),
  ).toBe(
    lines(
      why,
      '  core.PersistentVolumeClaimSpec{',
      '  \t... // 2 identical fields',
      '  \tResources:        {Requests: {s"storage": {i: {...}, s: "1Gi", Format: "BinarySI"}}},',
      '  \tVolumeName:       "pv-x",',
      '- \tStorageClassName: &"fast",',
      '+ \tStorageClassName: &"slow",',
      '  \tVolumeMode:       &"Filesystem",',
      '  \tDataSource:       nil,',
      '  \t... // 2 identical fields',
      '  }',
    ),
  )
})

it('shows an added selector in its string form', async () => {
  const server = testServer()
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await server.send('POST', claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec,
  })
  const text = await rejection(server, `${claims}/data`, { selector: { matchLabels: { a: 'b' } } })
  const shown =
    '&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}'
  expect(text).toMatch(/^\+ \tSelector: +s"/m)
  expect(text).toContain(`s"${shown}",`)
})

it('shows the fields of a source by their Go names', async () => {
  const server = testServer()
  const volumes = '/api/v1/persistentvolumes'
  const spec = {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    photonPersistentDisk: { pdID: 'd' },
  }
  await server.send('POST', volumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'a' },
    spec,
  })
  const text = await rejection(server, `${volumes}/a`, { photonPersistentDisk: { pdID: 'e' } })
  expect(text).toContain('- \t\tPdID:   "d",')
})

it('shows the change of a volume source', async () => {
  const server = testServer()
  const volumes = '/api/v1/persistentvolumes'
  const spec = {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    hostPath: { path: '/data' },
  }
  await server.send('POST', volumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'a' },
    spec,
  })
  expect(await rejection(server, `${volumes}/a`, { hostPath: { path: '/other' } })).toBe(
    lines(
      'Forbidden: spec.persistentvolumesource is immutable after creation',
      '  core.PersistentVolumeSource{',
      '  \tGCEPersistentDisk:    nil,',
      '  \tAWSElasticBlockStore: nil,',
      '  \tHostPath: &core.HostPathVolumeSource{',
      '- \t\tPath: "/data",',
      '+ \t\tPath: "/other",',
      '  \t\tType: &"",',
      '  \t},',
      '  \tGlusterfs: nil,',
      '  \tNFS:       nil,',
      '  \t... // 17 identical fields',
      '  }',
    ),
  )
})
