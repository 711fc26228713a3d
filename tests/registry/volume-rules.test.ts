import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { volumeErrors } from '../../src/engine/kinds/core/pod-validation/volumes'
import { type Causes, causes, testServer } from './server'

const PATH = 'spec.volumes[0]'
const texts = (errors: { field: string; detail: string }[]) =>
  errors.map(({ field, detail }) => `${field.replace(PATH, '')}: ${detail}`)
const ofVolume = (volume: JsonObject, pod?: string) =>
  texts(volumeErrors([{ name: 'v', ...volume }], 'spec.volumes', pod).errors)

const RESERVED = 'kubernetes.io and k8s.io namespaces are reserved'
const SCHEME = 'must be a host:port pair or multiple pairs separated by commas'

describe('a volume of a pod', () => {
  test.each<[string, JsonObject, string[]]>([
    ['a repository below its directory', { gitRepo: { repository: 'r', directory: '..d' } }, []],
    ['a disk', { gcePersistentDisk: {} }, ['.persistentDisk.pdName: Required value']],
    [
      'two disks',
      { emptyDir: {}, gcePersistentDisk: {} },
      ['.gcePersistentDisk: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a second file system',
      { emptyDir: {}, cephfs: {} },
      ['.cephFS: Forbidden: may not specify more than 1 volume type'],
    ],
    ['a file system', { cephfs: {} }, ['.cephfs.monitors: Required value']],
    [
      'options of the system',
      {
        flexVolume: {
          driver: 'd',
          options: { 'k8s.io': '1', 'a.kubernetes.io/b': '2', 'own.io/kubernetes.io': '3' },
        },
      },
      ['a.kubernetes.io/b', 'k8s.io'].map(
        (key) => `.flexVolume.options[${key}]: Invalid value: "${key}": ${RESERVED}`,
      ),
    ],
    [
      'no port',
      { quobyte: { registry: 'a:1,b', volume: 'v' } },
      [`.quobyte.registry: Invalid value: "a:1,b": ${SCHEME}`],
    ],
    ['no registry', { quobyte: { volume: 'v' } }, [`.quobyte.registry: Required value: ${SCHEME}`]],
    [
      'a nameless secret',
      { cinder: { volumeID: 'i', secretRef: {} } },
      ['.cinder.secretRef.name: Required value'],
    ],
    [
      'a strange name of a target',
      { iscsi: { targetPortal: 'p', iqn: 'abc', lun: 0, initiatorName: 'iqn.2020-01.x' } },
      [
        '.iscsi.iqn: Invalid value: "abc": must be valid format starting with iqn, eui, or naa',
        '.iscsi.initiatorname: Invalid value: "iqn.2020-01.x": must be valid format',
      ],
    ],
    [
      'a target of a name that takes a backtracking pattern the square of its length',
      { iscsi: { targetPortal: 'p', iqn: `${'iqn.2020-01.a:'.repeat(50_000)} `, lun: 0 } },
      [`.iscsi.iqn: Invalid value: "${'iqn.2020-01.a:'.repeat(50_000)} ": must be valid format`],
    ],
    [
      'a disk of another kind',
      {
        azureDisk: {
          diskName: 'd',
          diskURI: 'https://x',
          kind: 'Managed',
          cachingMode: 'ReadWrite',
        },
      },
      [
        '.azureDisk.diskURI: Unsupported value: "https://x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
    ],
    [
      'two sources in one',
      { projected: { sources: [{ secret: { name: 's' }, configMap: { name: 'c' } }] } },
      ['.projected.sources[0]: Forbidden: may not specify more than 1 volume type per source'],
    ],
    [
      'both names and numbers',
      { fc: { targetWWNs: ['a', 'b'], wwids: ['c'], lun: 1 } },
      [
        '.fc.targetWWNs: Invalid value: []string{"a", "b"}: targetWWNs and wwids can not be specified simultaneously',
      ],
    ],
  ])('with %s', (_, volume, expected) => expect(ofVolume(volume)).toEqual(expected))

  test('that creates a claim accepts only labels and annotations as its metadata', () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    const template = {
      metadata: { uid: 'u', labels: { '-': 'x' }, finalizers: ['a/b'] },
      spec: { ...spec, dataSource: { kind: 'X', name: 'n' } },
    }
    expect(
      ofVolume({ ephemeral: { volumeClaimTemplate: template } }).map((text) =>
        text.slice(0, text.indexOf(': ')),
      ),
    ).toEqual(
      ['metadata.labels', 'metadata.uID', 'metadata.finalizers', 'spec.dataSource'].map(
        (field) => `.ephemeral.volumeClaimTemplate.${field}`,
      ),
    )
  })
  test('cannot refer to a generated claim, whose name must be valid', () => {
    const template = {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }
    const volumes = [
      { name: 'own', ephemeral: { volumeClaimTemplate: template } },
      { name: 'other', persistentVolumeClaim: { claimName: 'web-own' } },
    ]
    const why = 'must not reference a PVC that gets created for an ephemeral volume'
    expect(texts(volumeErrors(volumes, 'spec.volumes', 'web').errors)).toEqual([
      `spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-own": ${why}`,
    ])
    expect(volumeErrors(volumes, 'spec.volumes', undefined).errors).toEqual([])
    const [long] = ofVolume({ ephemeral: { volumeClaimTemplate: template } }, 'p'.repeat(252))
    expect(long).toBe(
      `.name: Invalid value: "v": PVC name "${'p'.repeat(252)}-v": must be no more than 253 characters`,
    )
  })
})

const VOLUMES = '/api/v1/persistentvolumes'
const volume = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'pv' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
})

describe('a persistent volume', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'a disk without a name',
      { gcePersistentDisk: { pdName: '', partition: 300 } },
      [
        'spec.persistentDisk.pdName: Required value',
        'spec.persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
      ],
    ],
    [
      'a type of path that is none',
      { hostPath: { path: '/x', type: 'Pipe' } },
      [
        'spec.hostPath.type: Unsupported value: "Pipe": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
      ],
    ],
    [
      'a driver in addition to a path',
      {
        hostPath: { path: '/x' },
        flexVolume: { driver: '' },
        csi: { driver: 'd', volumeHandle: 'h' },
      },
      [
        'spec.flexVolume.driver: Required value',
        'spec.csi: Forbidden: may not specify more than 1 volume type',
      ],
    ],
    [
      'secrets of a driver',
      {
        csi: {
          driver: 'd',
          volumeHandle: 'h',
          nodePublishSecretRef: { name: 's' },
          nodeStageSecretRef: {},
        },
      },
      ['spec.csi.nodePublishSecretRef.namespace: Required value'],
    ],
    [
      'a negative size',
      { capacity: { storage: '-1500m' }, hostPath: { path: '/x' } },
      [
        'spec.capacity[storage]: Invalid value: -2: must be a valid resource quantity',
        'spec.capacity[storage]: Invalid value: "-1500m": must be greater than zero',
      ],
    ],
    [
      'an amount of something else',
      { capacity: { storage: '1.50Gi', cpu: '1.0001' }, hostPath: { path: '/x' } },
      [
        'spec.capacity: Unsupported value: core.ResourceList{"cpu":resource.Quantity{i:resource.int64Amount{value:1001, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"", Format:"DecimalSI"}, "storage":resource.Quantity{i:resource.int64Amount{value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(0xc000000000)}, s:"", Format:"BinarySI"}}: supported values: "storage"',
      ],
    ],
    [
      'a target',
      { iscsi: { targetPortal: 'p', iqn: 'iqn.2020-01.a.b:c', lun: 0, secretRef: {} } },
      ['spec.iscsi.secretRef.name: Required value'],
    ],
    [
      'a share without a namespace for its secret',
      { azureFile: { secretName: 's', shareName: 'f', secretNamespace: '' } },
      ['spec.azureFile.secretNamespace: Required value'],
    ],
    [
      'one writer and an unknown mode',
      { hostPath: { path: '/x' }, accessModes: ['ReadWriteOncePod', 'Odd'] },
      [
        'spec.accessModes: Unsupported value: "Odd": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
    ],
  ])('with %s', async (_, spec, expected) => {
    const { body } = await testServer().send<Causes>('POST', VOLUMES, volume(spec))
    expect(causes(body)).toEqual(expected)
  })

  test('accepts a later expand secret, and new names of node labels', async () => {
    const server = testServer()
    const affinity = (key: string) => ({
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }] },
    })
    const csi = { driver: 'd', volumeHandle: 'h' }
    const old = { csi, nodeAffinity: affinity('failure-domain.beta.kubernetes.io/zone') }
    await server.send('POST', VOLUMES, volume(old))
    const put = (spec: JsonObject) =>
      server.send<Causes>('PUT', `${VOLUMES}/pv?dryRun=All`, volume({ ...old, ...spec }))
    expect(
      (await put({ csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'n' } } }))
        .status,
    ).toBe(200)
    expect((await put({ nodeAffinity: affinity('topology.kubernetes.io/zone') })).status).toBe(200)
    const { body } = await put({ nodeAffinity: affinity('topology.kubernetes.io/region') })
    expect(causes(body)).toEqual([
      'nodeAffinity: Invalid value: core.VolumeNodeAffinity{Required:(*core.NodeSelector)(0xc000000000)}: field is immutable, except for updating from beta label to GA',
    ])
  })
})

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const claim = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
})

describe('a claim', () => {
  test('rejects an invalid data source in both fields', async () => {
    const { body } = await testServer().send<Causes>(
      'POST',
      CLAIMS,
      claim({ dataSourceRef: { apiGroup: 'a_b', kind: '', name: 'n' } }),
    )
    expect(causes(body).map((text) => text.slice(0, text.indexOf(': ')))).toEqual([
      'spec.dataSource.kind',
      'spec.dataSource.apiGroup',
      'spec.dataSourceRef.kind',
      'spec.dataSourceRef.apiGroup',
    ])
  })
  test('that has a data source of a group reports only that the spec is immutable', async () => {
    const server = testServer()
    const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }
    await server.send('POST', CLAIMS, claim({ dataSource }))
    const changed = {
      spec: { dataSource: { apiGroup: 'a_b' }, dataSourceRef: { apiGroup: 'a_b' } },
    }
    const { body } = await server.send<Causes>(
      'PATCH',
      `${CLAIMS}/c`,
      changed,
      'application/merge-patch+json',
    )
    expect(causes(body)).toEqual([
      expect.stringMatching(/^spec: Forbidden: spec is immutable after creation/),
    ])
  })
  test('rejects two different data sources', async () => {
    const sources = {
      dataSource: { kind: 'Odd', name: 'n', apiGroup: 'g' },
      dataSourceRef: { kind: 'Other', name: 'n', apiGroup: 'g' },
    }
    const { status, body } = await testServer().send<Causes>('POST', CLAIMS, claim(sources))
    expect([status, causes(body)[0]]).toEqual([
      422,
      expect.stringContaining('must match dataSourceRef'),
    ])
  })
})

describe('the phase of a persistent volume', () => {
  const since = '2020-02-02T02:02:02Z'
  test.each<[string, JsonObject, string]>([
    ['holds since now if it is another one', { phase: 'Bound' }, '2026-01-01T00:01:00Z'],
    [
      'holds since then if it is the same',
      { phase: 'Pending', message: 'm' },
      '2026-01-01T00:00:00Z',
    ],
    [
      'keeps the transition time of the writer',
      { phase: 'Bound', lastPhaseTransitionTime: since },
      since,
    ],
  ])('%s', async (_, status, expected) => {
    const { send, clock } = testServer()
    await send('POST', VOLUMES, volume({ hostPath: { path: '/x' } }))
    clock.advance(60_000)
    const { body } = await send('PUT', `${VOLUMES}/pv/status`, {
      ...volume({ hostPath: { path: '/x' } }),
      status,
    })
    expect(body.status).toMatchObject({ phase: status.phase, lastPhaseTransitionTime: expected })
  })
})
