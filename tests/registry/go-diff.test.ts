import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { goDiff } from '../../src/engine/registry/rules/go-diff'
import { typeNamed } from '../../src/engine/registry/rules/go-literal'
import { goValue } from '../../src/engine/registry/rules/go-value'
import { askedServer } from '../http/asking'

const spec = (value: object) => goValue(typeNamed('PodSpec'), { containers: [{ name: 'app', image: 'nginx' }], ...value } as never)
const difference = (before: object, after: object) => goDiff(spec(before), spec(after))

describe('differences in messages', () => {
  test('equal values have none', () => {
    expect(difference({ nodeName: 'n' }, { nodeName: 'n' })).toBe('')
  })
  test('neighbours of what changed are shown, the rest counted', () => {
    expect(difference({ restartPolicy: 'Always' }, { restartPolicy: 'Never' })).toBe(
      [
        '  core.PodSpec{',
        '  \t... // 2 identical fields',
        '  \tContainers:                    {{Name: "app", Image: "nginx"}},',
        '  \tEphemeralContainers:           nil,',
        '- \tRestartPolicy:                 "Always",',
        '+ \tRestartPolicy:                 "Never",',
        '  \tTerminationGracePeriodSeconds: nil,',
        '  \tActiveDeadlineSeconds:         nil,',
        '  \t... // 26 identical fields',
        '  }',
        '',
      ].join('\n'),
    )
  })
  test('maps and pointers show what they hold', () => {
    const text = difference({ terminationGracePeriodSeconds: 30 }, { terminationGracePeriodSeconds: 10, nodeSelector: { a: 'b' } })
    expect(text).toContain('- \tTerminationGracePeriodSeconds: &30,\n+ \tTerminationGracePeriodSeconds: &10,')
    expect(text).toContain('- \tNodeSelector:                  nil,\n+ \tNodeSelector:                  map[string]string{"a": "b"},')
  })
  test('changed elements are opened, added ones shown whole', () => {
    const one = { containers: [{ name: 'a', image: '1' }] }
    expect(difference(one, { containers: [{ name: 'a', image: '2' }] })).toMatch(
      /\t\t\tName: {4}"a",\n- \t\t\tImage: {3}"1",\n\+ \t\t\tImage: {3}"2",/,
    )
    expect(difference(one, { containers: [...one.containers, { name: 'b', image: '1' }] })).toContain('+ \t\t{Name: "b", Image: "1"},')
  })
  test('every changed member appears with both its values', () => {
    const names = ['nodeName', 'hostname', 'subdomain', 'schedulerName', 'dnsPolicy'] as const
    const members = fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom('', 'x', 'y')])))
    fc.assert(
      fc.property(members, members, (before, after) => {
        const lines = difference(before, after).split('\n')
        const changed = names.filter((name) => before[name] !== after[name])
        expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(changed.length)
        expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(changed.length)
      }),
    )
  })
})

/** As recorded of claims whose spec may not change. */
describe('differences of claims', () => {
  const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
  const IMMUTABLE = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
  async function refused(before: object, change: object): Promise<string> {
    const ask = askedServer()
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...before }
    await ask(CLAIMS, { method: 'POST', body: { metadata: { name: 'data' }, spec } })
    const patched = await ask(`${CLAIMS}/data`, {
      method: 'PATCH',
      body: { spec: change },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    return String(patched.json.message).replace(`PersistentVolumeClaim "data" is invalid: spec: Forbidden: ${IMMUTABLE}\n`, '')
  }

  test('show the size that an unbound claim may not change', async () => {
    expect(await refused({}, { resources: { requests: { storage: '2Gi' } } })).toBe(
      [
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
        '  \tStorageClassName: nil,',
        '  \t... // 4 identical fields',
        '  }',
        '',
      ].join('\n'),
    )
  })

  test('show lists and pointers', async () => {
    expect(await refused({}, { accessModes: ['ReadWriteMany'] })).toBe(
      [
        '  core.PersistentVolumeClaimSpec{',
        '- \tAccessModes: []core.PersistentVolumeAccessMode{"ReadWriteOnce"},',
        '+ \tAccessModes: []core.PersistentVolumeAccessMode{"ReadWriteMany"},',
        '  \tSelector:    nil,',
        '  \tResources:   {Requests: {s"storage": {i: {...}, s: "1Gi", Format: "BinarySI"}}},',
        '  \t... // 6 identical fields',
        '  }',
        '',
      ].join('\n'),
    )
    expect(await refused({ storageClassName: 'std' }, { storageClassName: 'manual' })).toBe(
      [
        '  core.PersistentVolumeClaimSpec{',
        '  \t... // 2 identical fields',
        '  \tResources:        {Requests: {s"storage": {i: {...}, s: "1Gi", Format: "BinarySI"}}},',
        '  \tVolumeName:       "",',
        '- \tStorageClassName: &"std",',
        '+ \tStorageClassName: &"manual",',
        '  \tVolumeMode:       &"Filesystem",',
        '  \tDataSource:       nil,',
        '  \t... // 2 identical fields',
        '  }',
        '',
      ].join('\n'),
    )
  })
})

test('differences of volumes show what they are made of (as recorded)', async () => {
  const ask = askedServer()
  const volumes = '/api/v1/persistentvolumes'
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } }
  await ask(volumes, { method: 'POST', body: { metadata: { name: 'a' }, spec } })
  const patch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } }
  const { json } = await ask(`${volumes}/a`, { ...patch, body: { spec: { hostPath: { path: '/other' } } } })
  expect(json.message).toBe(
    [
      'PersistentVolume "a" is invalid: spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
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
      '',
    ].join('\n'),
  )
})
