/** Removed versions in discovery, OpenAPI, tables, Protobuf and signals of an older release. */

import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { decodeProtobuf, encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { RELEASES } from '../../src/engine/releases'
import { OptionError } from '../../src/engine/server/option-error'
import { jsonObject, kubeObject } from '../support/json-objects'
import { sendRequest, testServer } from '../support/server'
import { SAMPLES, sampleOf } from './samples'

/** Milliseconds for tests that make many servers or whole documents, on a busy machine. */
const SLOW = 60_000

describe('the release', () => {
  it('appears in /version, metrics and discovery', async () => {
    const server = testServer({ release: '1.21' })
    expect((await sendRequest(server, { path: '/version' })).json).toMatchObject({
      major: '1',
      minor: '21',
      gitVersion: 'v1.21.14',
    })
    expect((await sendRequest(server, { path: '/metrics' })).text).toContain(
      'git_version="v1.21.14"',
    )
    const { json } = await sendRequest(server, { path: '/apis' })
    const group = (json.groups as { name: string; versions: { version: string }[] }[]).find(
      ({ name }) => name === 'policy',
    )
    expect(group?.versions.map(({ version }) => version)).toEqual(['v1beta1', 'v1'])
    const resources = (await sendRequest(server, { path: '/apis/policy/v1beta1' })).json
      .resources as {
      name: string
    }[]
    expect(resources.map(({ name }) => name)).toEqual([
      'poddisruptionbudgets',
      'poddisruptionbudgets/status',
      'podsecuritypolicies',
    ])
  })

  it('must be one that is known', () => {
    expect(() => testServer({ release: '1.14' })).toThrow(
      new OptionError('unknown release "1.14", known are 1.15 to 1.37'),
    )
  })

  it(
    'starts as each of them, with what a fresh server has',
    async () => {
      for (const release of RELEASES) {
        const server = testServer({ release })
        expect(
          (await sendRequest(server, { path: '/api/v1/namespaces/kube-system' })).status,
          release,
        ).toBe(200)
        const { json } = await sendRequest(server, {
          path: '/apis/apiregistration.k8s.io/v1/apiservices',
        })
        const groups = (await sendRequest(server, { path: '/apis' })).json.groups as {
          name: string
          versions: { groupVersion: string }[]
        }[]
        const services = (json.items as KubeObject[]).map(({ metadata }) => metadata.name ?? '')
        const served = groups.flatMap(({ name, versions }) =>
          versions.map(({ groupVersion }) => `${groupVersion.split('/')[1]}.${name}`),
        )
        expect(services.filter((name) => name !== 'v1.').sort(), release).toEqual(
          served.filter((name) => !name.endsWith('.apiregistration.k8s.io')).sort(),
        )
      }
    },
    SLOW,
  )
})

describe('--runtime-config in another release', () => {
  it('takes a version away before its time, and brings alpha versions', async () => {
    const server = testServer({
      release: '1.21',
      runtimeConfig: { 'batch/v1beta1': 'false', 'storage.k8s.io/v1alpha1': 'true' },
    })
    expect((await sendRequest(server, { path: '/apis/batch/v1beta1' })).status).toBe(404)
    expect((await sendRequest(server, { path: '/apis/batch/v1/cronjobs' })).status).toBe(200)
    expect(
      (await sendRequest(server, { path: '/apis/storage.k8s.io/v1alpha1/volumeattachments' }))
        .status,
    ).toBe(200)
  })

  it('knows no version that the release has not', () => {
    expect(() =>
      testServer({ release: '1.25', runtimeConfig: { 'batch/v1beta1': 'true' } }),
    ).toThrow('group version batch/v1beta1 that has not been registered')
  })
})

describe('OpenAPI', () => {
  it(
    'describes the versions that the release serves',
    async () => {
      const server = testServer({ release: '1.15' })
      const v3 = await sendRequest(server, { path: '/openapi/v3/apis/extensions/v1beta1' })
      expect(v3.status).toBe(200)
      const paths = Object.keys(v3.json.paths)
      for (const path of [
        'deployments/{name}/rollback',
        'deployments/{name}/scale',
        'ingresses',
        'podsecuritypolicies',
      ])
        expect(
          paths.some((known) => known.endsWith(path)),
          path,
        ).toBe(true)
      expect(v3.json.components.schemas).toHaveProperty([
        'io.k8s.api.extensions.v1beta1.PodSecurityPolicy',
      ])
      const post = v3.json.paths['/apis/extensions/v1beta1/namespaces/{namespace}/deployments'].post
      expect(post.operationId).toBe('createExtensionsV1beta1NamespacedDeployment')
      expect(post['x-kubernetes-group-version-kind']).toEqual({
        group: 'extensions',
        version: 'v1beta1',
        kind: 'Deployment',
      })
      const described =
        v3.json.components.schemas['io.k8s.api.extensions.v1beta1.IngressSpec'].properties.rules
          .description
      expect(described).toContain('list of host rules')
      const v2 = await sendRequest(server, { path: '/openapi/v2' })
      expect(v2.json.paths).toHaveProperty([
        '/apis/apps/v1beta1/namespaces/{namespace}/statefulsets',
      ])
      expect(v2.json.paths).not.toHaveProperty(['/apis/batch/v1/namespaces/{namespace}/cronjobs'])
      expect(v2.json.info.version).toBe('v1.15.12')
    },
    SLOW,
  )

  it(
    'refers to nothing that it does not define',
    async () => {
      for (const release of ['1.15', '1.21'] as const) {
        const { json } = await sendRequest(testServer({ release }), { path: '/openapi/v2' })
        const named = [...JSON.stringify(json).matchAll(/"#\/definitions\/([^"]+)"/g)].map(
          ([, name]) => name ?? '',
        )
        expect([...new Set(named)].filter((name) => json.definitions[name] === undefined)).toEqual(
          [],
        )
      }
    },
    SLOW,
  )
})

it('tables show a kind in every version as they show the stored one', async () => {
  const server = testServer({ release: '1.21' })
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1'
  await sendRequest(server, {
    method: 'POST',
    path: '/apis/extensions/v1beta1/namespaces/default/ingresses',
    body: sampleOf('extensions/v1beta1', 'Ingress'),
  })
  const rows = await Promise.all(
    ['extensions/v1beta1', 'networking.k8s.io/v1'].map(async (version) => {
      const { json } = await sendRequest(server, {
        path: `/apis/${version}/namespaces/default/ingresses`,
        headers: { accept },
      })
      return {
        columns: json.columnDefinitions,
        cells: (json.rows as { cells: JsonObject[] }[]).map(({ cells }) => cells),
      }
    }),
  )
  expect(rows[0]).toEqual(rows[1])
  expect(rows[0]?.cells[0]).toContain('it')
})

describe('Protobuf', () => {
  for (const name of Object.keys(SAMPLES)) {
    const [apiVersion = '', kind = ''] = name.split(' ')
    it(`carries ${name}`, () => {
      const sample = kubeObject(sampleOf(apiVersion, kind))
      const { object } = decodeProtobuf(encodeProtobuf(jsonObject(sample)))
      expect(object).toMatchObject(sample)
    })
  }

  it('is taken and given through an older version', async () => {
    const server = testServer({ release: '1.15' })
    const media = 'application/vnd.kubernetes.protobuf'
    const path = '/apis/apps/v1beta1/namespaces/default/deployments'
    const body = encodeProtobuf(sampleOf('apps/v1beta1', 'Deployment') as JsonObject)
    const request = new Request(`http://server${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin', 'content-type': media, accept: media },
      body: body as Uint8Array<ArrayBuffer>,
    })
    const response = await server.fetch(request)
    expect(response.status).toBe(201)
    const { object, apiVersion } = decodeProtobuf(new Uint8Array(await response.arrayBuffer()))
    expect([apiVersion, (object.spec as JsonObject).revisionHistoryLimit]).toEqual([
      'apps/v1beta1',
      2,
    ])
  })
})

describe('deprecation signals', () => {
  const path = '/apis/batch/v1beta1/namespaces/default/cronjobs'
  it('are warning, audit annotations and metric', async () => {
    const server = testServer({ release: '1.21' })
    const annotations: Record<string, string>[] = []
    server.onTrace((trace) => annotations.push({ ...trace.annotations }))
    const { headers } = await sendRequest(server, { path })
    expect(headers.get('warning')).toBe(
      '299 - "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob"',
    )
    expect(annotations.at(-1)).toMatchObject({
      'k8s.io/deprecated': 'true',
      'k8s.io/removed-release': '1.25',
    })
    const metrics = await sendRequest(server, { path: '/metrics' })
    expect(metrics.text).toContain(
      'apiserver_requested_deprecated_apis{group="batch",removed_release="1.25",resource="cronjobs",subresource="",version="v1beta1"} 1',
    )
  })

  it('are given neither before the deprecation nor by releases that give none', async () => {
    for (const release of ['1.20', '1.18'] as const) {
      const server = testServer({ release })
      const requested = release === '1.18' ? '/apis/networking.k8s.io/v1beta1/ingresses' : path
      expect((await sendRequest(server, { path: requested })).headers.get('warning')).toBeNull()
      expect((await sendRequest(server, { path: '/metrics' })).text).not.toContain(
        'apiserver_requested_deprecated_apis{',
      )
    }
  })
})

describe('a deprecated metric', () => {
  const metrics = async (release: string, shown?: string) =>
    (
      await sendRequest(
        testServer({ release, ...(shown ? { showHiddenMetricsForVersion: shown } : {}) }),
        {
          path: '/metrics',
        },
      )
    ).text
  const HELP = '# HELP etcd_object_counts [ALPHA] '
  it('is marked deprecated, hidden three releases later by default, and removed after four', async () => {
    expect(await metrics('1.21')).toContain(`${HELP}Number of stored objects`)
    expect(await metrics('1.22')).toContain(
      `${HELP}(Deprecated from 1.22) Number of stored objects`,
    )
    expect(await metrics('1.25')).not.toContain('etcd_object_counts')
    expect(await metrics('1.25', '1.24')).toContain(HELP)
    expect(await metrics('1.26', '1.25')).not.toContain('etcd_object_counts')
  })

  it('is shown for the release before alone', () => {
    expect(() => testServer({ release: '1.25', showHiddenMetricsForVersion: '1.23' })).toThrow(
      "--show-hidden-metrics-for-version must be omitted or have the value '1.24'. Only the previous minor version is allowed",
    )
  })
})

describe('feature gates', () => {
  it('that are settled or going warn when they are set, and settled ones cannot be switched off', () => {
    const warnings: string[] = []
    const log = {
      error: () => expect.fail('no error is expected'),
      warn: (text: string) => warnings.push(text),
    }
    testServer({ log, featureGates: { ServerSideApply: true, KMSv1: false, WatchList: true } })
    expect(warnings).toEqual([
      'Setting GA feature gate ServerSideApply=true. It will be removed in a future release.',
      'Setting deprecated feature gate KMSv1=false. It will be removed in a future release.',
      'feature gate KMSv1 has no effect: there is no flag for the configuration that it allows',
    ])
    expect(() => testServer({ featureGates: { ServerSideApply: false } })).toThrow(
      'cannot set feature gate ServerSideApply to false, feature is locked to true',
    )
    expect(() => testServer({ featureGates: { NoSuchGate: true } })).toThrow(
      'unrecognized feature gate: NoSuchGate',
    )
  })

  it('of a whole stage are switched together, but for those that are named', async () => {
    const server = testServer({ featureGates: { AllAlpha: true, WatchList: false } })
    const { text } = await sendRequest(server, { path: '/metrics' })
    expect(text).toContain(
      'kubernetes_feature_enabled{name="CoordinatedLeaderElection",stage="ALPHA"} 1',
    )
    expect(text).toContain('kubernetes_feature_enabled{name="WatchList",stage="ALPHA"} 0')
  })
})
