import { describe, expect, test } from 'vitest'
import type { Json, KubeObject } from '../../src/engine/core/object'
import { type TableOptions, tableOf, tableText } from '../../src/engine/encoding/table'
import { DISCOVERY_ALL } from '../../src/engine/generated/discovery'
import { tableColumns } from '../../src/engine/generated/table-columns'
import { kubeObject, tableDocument } from '../support/json-objects'

const NOW = Date.UTC(2026, 0, 1)
const ago = (seconds: number): string =>
  `${new Date(NOW - seconds * 1000).toISOString().slice(0, 19)}Z`
const OPTIONS: TableOptions = {
  now: NOW,
  includeObject: 'None',
  withColumns: true,
  listMeta: { resourceVersion: '5' },
}

/** A Table's rows by column name. */
function show(
  group: string,
  resource: string,
  objects: object[],
  options: Partial<TableOptions> = {},
  subresource?: string,
): Record<string, Json>[] {
  const made = tableOf(
    { group, version: 'v1', resource, ...(subresource ? { subresource } : {}) },
    objects as KubeObject[],
    {
      ...OPTIONS,
      ...options,
    },
  )
  const { columnDefinitions, rows } = tableDocument(made)
  return (rows ?? []).map(({ cells }) =>
    Object.fromEntries((columnDefinitions ?? []).map(({ name }, i) => [name, cells[i] ?? null])),
  )
}

const named = (name: string, more: object = {}) => ({
  metadata: { name, creationTimestamp: ago(60) },
  ...more,
})

describe('the document', () => {
  const pod = kubeObject({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    ...named('a'),
    data: { x: '1' },
  })
  const make = (options: Partial<TableOptions>) =>
    tableDocument(
      tableOf({ group: '', version: 'v1', resource: 'configmaps' }, [pod], {
        ...OPTIONS,
        ...options,
      }),
    )

  test('has its fields in the order of kube-apiserver', () => {
    const document = make({})
    expect(Object.keys(document)).toEqual([
      'kind',
      'apiVersion',
      'metadata',
      'columnDefinitions',
      'rows',
    ])
    expect(document).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '5' },
    })
  })
  test('includes the requested part of each object', () => {
    expect(make({ includeObject: 'None' }).rows?.[0]?.object).toBeNull()
    expect(make({ includeObject: 'Object' }).rows?.[0]?.object).toBe(pod)
    expect(make({ includeObject: 'Metadata', version: 'v1beta1' }).rows?.[0]?.object).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1beta1',
      metadata: pod.metadata,
    })
  })
  test('has columns in the first watch event only', () => {
    expect(make({ withColumns: false }).columnDefinitions).toBeNull()
    expect(make({ withColumns: false }).rows?.[0]?.cells).toEqual(['a', 1, '60s'])
  })
  test('equals its text form, with HTML escaped', () => {
    const objects = [pod, { ...pod, metadata: { name: '<b>', annotations: { a: '&' } } }]
    for (const options of [
      {},
      { includeObject: 'Metadata' },
      { includeObject: 'Object' },
      { withColumns: false },
    ] as Partial<TableOptions>[]) {
      for (const resource of ['configmaps', 'limitranges']) {
        const at = { group: '', version: 'v1', resource }
        const text = tableText(at, objects, { ...OPTIONS, ...options })
        expect(text).not.toMatch(/[<>&]/)
        expect(JSON.stringify(JSON.parse(text))).toBe(
          JSON.stringify(tableOf(at, objects, { ...OPTIONS, ...options })),
        )
        expect(JSON.parse(tableText(at, [], OPTIONS))).toEqual(tableOf(at, [], OPTIONS))
      }
    }
  })
  test('of an empty list has no rows; without columns it is not a list', () => {
    const empty = (resource: string) =>
      tableDocument(tableOf({ group: '', version: 'v1', resource }, [], OPTIONS)).rows
    expect(empty('pods')).toEqual([])
    expect(empty('limitranges')).toBeNull()
  })
})

test('every listable resource has cells for all columns, even for an empty object', () => {
  for (const { metadata, versions } of DISCOVERY_ALL) {
    for (const { version, resources } of versions) {
      for (const { resource, verbs } of resources) {
        if (!verbs.includes('list')) continue
        const group = metadata.name ?? ''
        const bare: KubeObject = { kind: 'X', apiVersion: 'v1', metadata: { resourceVersion: '7' } }
        const { rows, columnDefinitions } = tableDocument(
          tableOf({ group, version, resource }, [bare], OPTIONS),
        )
        const qualified = group === '' ? resource : `${resource}.${group}`
        expect(rows?.[0]?.cells.length, qualified).toBeGreaterThanOrEqual(
          columnDefinitions?.length ?? 0,
        )
        if (qualified in tableColumns())
          expect(columnDefinitions?.map(({ name }) => name)).toEqual(
            tableColumns()[qualified]?.map(([name]) => name),
          )
      }
    }
  }
})

describe('pods', () => {
  const pod = (status: object, spec: object = {}, metadata: object = {}) => ({
    metadata: { name: 'p', creationTimestamp: ago(60), ...metadata },
    spec: { containers: [{ name: 'a' }], ...spec },
    status,
  })
  const word = (...parts: Parameters<typeof pod>) => show('', 'pods', [pod(...parts)])[0]?.Status

  test('restarts include the time of the last one, if it is set', () => {
    const container = {
      name: 'a',
      ready: true,
      restartCount: 3,
      state: { running: {} },
      lastState: { terminated: { exitCode: 1, finishedAt: ago(125) } },
    }
    expect(
      show('', 'pods', [pod({ phase: 'Running', containerStatuses: [container] })])[0],
    ).toMatchObject({
      Ready: '1/1',
      Restarts: '3 (2m5s ago)',
    })
  })
  test('a deleted pod is Terminating, unless it has ended or its node is lost', () => {
    const deleted = { deletionTimestamp: ago(0) }
    expect(word({ phase: 'Running' }, {}, deleted)).toBe('Terminating')
    expect(word({ phase: 'Succeeded' }, {}, deleted)).toBe('Succeeded')
    expect(word({ phase: 'Running', reason: 'NodeLost' }, {}, deleted)).toBe('Unknown')
  })
  test('counts restarts of init containers during initialization, of sidecars always', () => {
    const spec = { initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }] }
    const sidecar = {
      name: 's',
      ready: true,
      started: true,
      restartCount: 2,
      state: { running: {} },
    }
    const status = (exitCode: number) => ({
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'i', ready: false, restartCount: 5, state: { terminated: { exitCode } } },
        sidecar,
      ],
    })
    expect(show('', 'pods', [pod(status(1), spec)])[0]).toMatchObject({
      Status: 'Init:ExitCode:1',
      Restarts: '5',
      Ready: '0/2',
    })
    expect(show('', 'pods', [pod(status(0), spec)])[0]).toMatchObject({
      Status: 'Pending',
      Restarts: '2',
      Ready: '1/2',
    })
  })
  test('an ended pod has a row condition', () => {
    const made = tableDocument(
      tableOf(
        { group: '', version: 'v1', resource: 'pods' },
        [kubeObject(pod({ phase: 'Failed' }))],
        OPTIONS,
      ),
    )
    expect(made.rows?.[0]?.conditions).toEqual([
      { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
    ])
  })
})

describe('other kinds', () => {
  test('a scale has columns of its own', () => {
    const scale = named('web', { spec: { replicas: 3 }, status: { replicas: 2 } })
    expect(show('apps', 'deployments', [scale], {}, 'scale')).toEqual([
      { Name: 'web', Desired: 3, Available: 2, Age: '60s' },
    ])
  })
  test('a kind without columns prints the creation time', () => {
    expect(show('', 'limitranges', [named('a')])).toEqual([{ Name: 'a', 'Created At': ago(60) }])
  })
  test('flow schemas are sorted by precedence', () => {
    const schema = (name: string, matchingPrecedence: number) =>
      named(name, { spec: { matchingPrecedence, priorityLevelConfiguration: { name: 'x' } } })
    const rows = show('flowcontrol.apiserver.k8s.io', 'flowschemas', [
      schema('c', 9),
      schema('b', 1),
      schema('a', 9),
    ])
    expect(rows.map(({ Name }) => Name)).toEqual(['b', 'a', 'c'])
  })
  test('IPv6 endpoints are in brackets', () => {
    const subsets = [
      { addresses: [{ ip: '::1' }], ports: [{ port: 80 }] },
      { addresses: [{ ip: '10.0.0.1' }] },
    ]
    expect(show('', 'endpoints', [named('e', { subsets })])[0]?.Endpoints).toBe('[::1]:80,10.0.0.1')
  })
  test('ingress rules without a host are counted, not printed', () => {
    const rules = [{ host: 'a' }, {}, { host: 'b' }, { host: 'c' }, { host: 'd' }]
    expect(
      show('networking.k8s.io', 'ingresses', [named('i', { spec: { rules } })])[0]?.Hosts,
    ).toBe('a,b,c + 2 more...')
  })
  test('labels are sorted together with their values', () => {
    const service = named('s', {
      spec: { selector: { app: 'web', 'app-part': 'x', 'app.of': 'y' } },
    })
    expect(show('', 'services', [service])[0]?.Selector).toBe('app-part=x,app.of=y,app=web')
  })
  test('a job with SuccessCriteriaMet runs until it is complete', () => {
    const status = (...types: string[]) => {
      const conditions = types.map((type) => ({ type, status: 'True' }))
      return show('batch', 'jobs', [named('j', { status: { conditions } })])[0]?.Status
    }
    expect(status('SuccessCriteriaMet')).toBe('Running')
    expect(status('SuccessCriteriaMet', 'Complete')).toBe('Complete')
    expect(status('FailureTarget')).toBe('FailureTarget')
  })
  test('an autoscaler of another version is printed after conversion', () => {
    const v2 = named('h', {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 3,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
          },
        ],
      },
      status: { currentMetrics: [{ type: '' }] },
    })
    const rows = show('autoscaling', 'horizontalpodautoscalers', [named('h')], {
      asShown: () => kubeObject(v2),
    })
    expect(rows[0]).toMatchObject({
      Reference: 'Deployment/web',
      Targets: 'cpu: <unknown>/80%',
      MinPods: '<unset>',
      MaxPods: 3,
    })
  })
  test('a policy binding prints its parameter, or the selector', () => {
    const binding = (paramRef: object) =>
      show('admissionregistration.k8s.io', 'validatingadmissionpolicybindings', [
        named('b', { spec: { policyName: 'p', paramRef } }),
      ])[0]?.ParamRef
    expect(binding({ name: 'x' })).toBe('*/x')
    expect(binding({ name: 'x', namespace: 'n' })).toBe('n/x')
    expect(binding({ selector: { matchLabels: { a: 'b' } } })).toBe(
      '&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}',
    )
  })
  test('a job prints its conditions by priority', () => {
    const word = (...types: string[]) =>
      show('batch', 'jobs', [
        named('j', { status: { conditions: types.map((type) => ({ type, status: 'True' })) } }),
      ])[0]?.Status
    expect(word('SuccessCriteriaMet')).toBe('Running')
    expect(word('SuccessCriteriaMet', 'Complete')).toBe('Complete')
    expect(word('FailureTarget', 'Suspended')).toBe('Suspended')
    expect(word('FailureTarget')).toBe('FailureTarget')
  })
  test('an IPAddress prints its parent, with the namespace if it has one', () => {
    const parent = (parentRef: object) =>
      show('networking.k8s.io', 'ipaddresses', [named('10.0.0.1', { spec: { parentRef } })])[0]
        ?.ParentRef
    expect(parent({ resource: 'services', namespace: 'n', name: 's' })).toBe('services/n/s')
    expect(parent({ group: 'Example.com', resource: 'things', name: 't' })).toBe(
      'things.example.com/t',
    )
  })
  test('a resource claim is deallocating when deleted without a reservation', () => {
    const state = (status: object, metadata: object = {}) =>
      show('resource.k8s.io', 'resourceclaims', [
        { metadata: { name: 'c', ...metadata }, status },
      ])[0]?.State
    const deleted = { deletionTimestamp: ago(1) }
    expect(state({})).toBe('pending')
    expect(state({}, deleted)).toBe('deleted')
    expect(state({ allocation: {} })).toBe('allocated')
    expect(state({ allocation: {}, deallocationRequested: true })).toBe('allocated,deallocating')
    expect(state({ allocation: {}, reservedFor: [{}] }, deleted)).toBe('deleted,allocated,reserved')
    expect(state({ allocation: {} }, deleted)).toBe('deleted,allocated,deallocating')
  })
  test('a resource slice without a node prints none', () => {
    const spec = { driver: 'd', pool: { name: 'p' } }
    expect(show('resource.k8s.io', 'resourceslices', [named('s', { spec })])[0]).toMatchObject({
      Node: '',
      Driver: 'd',
      Pool: 'p',
    })
  })
  test('storage versions print each server, migrations their resource', () => {
    const group = 'internal.apiserver.k8s.io'
    const storageVersions = ['a', 'b', 'c', 'd'].map((apiServerID) => ({
      apiServerID,
      encodingVersion: 'v1',
    }))
    expect(show(group, 'storageversions', [named('x')])[0]).toMatchObject({
      CommonEncodingVersion: '<unset>',
      StorageVersions: '<unset>',
    })
    expect(
      show(group, 'storageversions', [named('x', { status: { storageVersions } })])[0]
        ?.StorageVersions,
    ).toBe('a=v1,b=v1,c=v1 + 1 more...')
    const spec = { resource: { group: 'apps', version: 'v1', resource: 'deployments' } }
    expect(
      show('storagemigration.k8s.io', 'storageversionmigrations', [named('m', { spec })]),
    ).toEqual([{ Name: 'm', Resource: 'deployments.v1.apps' }])
  })
  test('events are the same in both groups', () => {
    const core = named('e', {
      involvedObject: { kind: 'Pod', name: 'p' },
      reason: 'R',
      message: ' m ',
      source: { component: 'c', host: 'h' },
      firstTimestamp: ago(600),
      lastTimestamp: ago(30),
      count: 2,
    })
    const other = named('e', {
      regarding: { kind: 'Pod', name: 'p' },
      reason: 'R',
      note: ' m ',
      deprecatedSource: { component: 'c', host: 'h' },
      deprecatedFirstTimestamp: ago(600),
      deprecatedLastTimestamp: ago(30),
      deprecatedCount: 2,
    })
    expect(show('', 'events', [core])[0]).toMatchObject({
      'Last Seen': '30s',
      'First Seen': '10m',
      Object: 'pod/p',
      Source: 'c, h',
      Message: 'm',
      Count: 2,
    })
    expect(show('events.k8s.io', 'events', [other])).toEqual(show('', 'events', [core]))
  })
  test('a series replaces the count and time of the event', () => {
    const event = named('e', {
      involvedObject: { kind: 'Pod' },
      eventTime: ago(600),
      series: { count: 9, lastObservedTime: ago(5) },
    })
    expect(show('', 'events', [event])[0]).toMatchObject({
      'Last Seen': '5s',
      'First Seen': '10m',
      Count: 9,
      Object: 'pod',
    })
  })
})
