import { beforeAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import {
  builtinDocuments,
  builtinHash,
  openapiV2,
  openapiV3,
  openapiV3Index,
} from '../../src/engine/encoding/openapi/builtin'
import {
  type CustomResource,
  customHash,
  openapiV3OfCustom,
} from '../../src/engine/encoding/openapi/custom'
import type { Words } from '../../src/engine/encoding/openapi/documents'
import { loadWords } from '../../src/engine/encoding/openapi/words'
import { DISCOVERY, DISCOVERY_ALL } from '../../src/engine/generated/discovery'
import { identityOf } from '../../src/engine/releases/release'
import { builtinModel } from '../../src/engine/schema/builtin'
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'
import type { Recording } from '../conformance/replay'
import { jsonObject } from '../support/json-objects'
import { changedTables, TEST_RELEASE } from '../support/release'

const tables = changedTables(TEST_RELEASE)

let words: Words
beforeAll(async () => {
  words = await loadWords()
})

function recordings(file: string): Recording[] {
  return FOLDERS.flatMap((folder) => recordingFiles(folder))
    .filter(({ name }) => name === file)
    .flatMap(readRecordings)
}

/** The custom resources that a recording defines, one per served version. */
function definedIn(recording: Recording): CustomResource[] {
  return recording.steps.flatMap(({ request }) => {
    const { spec, kind } = JSON.parse(request.body?.replaceAll('{{ns}}', recording.ns) ?? '{}')
    if (kind !== 'CustomResourceDefinition') return []
    return spec.versions.map(
      (version: {
        name: string
        schema: { openAPIV3Schema: JsonObject }
        subresources?: JsonObject
      }): CustomResource => ({
        group: spec.group,
        version: version.name,
        plural: spec.names.plural,
        kind: spec.names.kind,
        listKind: spec.names.listKind ?? `${spec.names.kind}List`,
        namespaced: spec.scope === 'Namespaced',
        schema: version.schema.openAPIV3Schema,
        hasStatus: version.subresources?.status !== undefined,
        hasScale: version.subresources?.scale !== undefined,
      }),
    )
  })
}

describe('documents of custom resources equal the recorded ones', () => {
  for (const recording of recordings('crd-def-serve')) {
    const [document] = recording.steps.filter(
      ({ request, response }) => /openapi\/v3\/apis/.test(request.path) && response.status === 200,
    )
    if (document === undefined) continue
    test(recording.doc, () => {
      expect(openapiV3OfCustom(definedIn(recording), words, builtinModel(), tables)).toEqual(
        JSON.parse(document.response.text ?? ''),
      )
    })
  }
})

describe('built-in documents', () => {
  test('the document of the version path equals the recorded one', () => {
    const step = recordings('wire-discovery')
      .flatMap(({ steps }) => steps)
      .find(({ id }) => id === 'v3-version')
    expect(openapiV3('version', words)).toEqual(JSON.parse(step?.response.text ?? ''))
  })
  test('the index names the recorded documents', () => {
    const step = recordings('wire-discovery')
      .flatMap(({ steps }) => steps)
      .find(({ id, response }) => id === 'v3' && response.status === 200)
    const index = openapiV3Index(
      builtinDocuments(DISCOVERY).map((name) => ({ name, hash: builtinHash(name) })),
    )
    expect(Object.keys(index.paths as JsonObject)).toEqual(
      Object.keys(JSON.parse(step?.response.text ?? '').paths),
    )
  })
  test('every reference resolves, in every document', () => {
    const missing = (document: JsonObject, known: JsonObject, prefix: string): string[] =>
      [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
        .map(([, ref = '']) => ref)
        .filter((ref) => !(ref.slice(prefix.length) in known))
    for (const name of builtinDocuments(DISCOVERY_ALL)) {
      const document = openapiV3(name, words) as JsonObject
      const { schemas = {} } = document.components as { schemas?: JsonObject }
      expect(missing(document, schemas, '#/components/schemas/'), name).toEqual([])
      expect(JSON.stringify(document), name).not.toContain('"#/components/schemas/"')
    }
    const v2 = openapiV2(DISCOVERY_ALL, [], words)
    const targets = (place: string) =>
      Object.keys(v2[place] as JsonObject).map((name) => [`${place}/${name}`, true] as const)
    expect(
      missing(v2, Object.fromEntries([...targets('definitions'), ...targets('parameters')]), '#/'),
    ).toEqual([])
  })
  test('operations describe their action and kind', () => {
    const { paths } = openapiV3('apis/apps/v1', words) as {
      paths: Record<string, Record<string, JsonObject>>
    }
    const collection = paths['/apis/apps/v1/namespaces/{namespace}/deployments'] as Record<
      string,
      JsonObject
    >
    expect(collection.get).toMatchObject({
      tags: ['apps_v1'],
      description: 'list or watch objects of kind Deployment',
      operationId: 'listAppsV1NamespacedDeployment',
      'x-kubernetes-action': 'list',
    })
    const names = (list: Json | undefined) => (list as { name: string }[]).map(({ name }) => name)
    expect(names(jsonObject(collection.parameters ?? []))).toEqual(['namespace', 'pretty'])
    expect(names(collection.post?.parameters)).toEqual([
      'dryRun',
      'fieldManager',
      'fieldValidation',
    ])
    const scale = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale'] as Record<
      string,
      JsonObject
    >
    expect(scale.put?.description).toBe('replace scale of the specified Deployment')
    expect(JSON.stringify(scale.put?.requestBody)).toContain('io.k8s.api.autoscaling.v1.Scale')
  })
  test('fields have descriptions, defaults and the extensions that patches and apply need', () => {
    const { components } = openapiV3('api/v1', words) as {
      components: { schemas: Record<string, { properties: Record<string, JsonObject> }> }
    }
    const spec = components.schemas['io.k8s.api.core.v1.PodSpec']?.properties
    expect(spec?.containers).toMatchObject({
      type: 'array',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    })
    expect(spec?.restartPolicy?.enum).toEqual(['Always', 'Never', 'OnFailure'])
    expect(spec?.restartPolicy?.description).toMatch(
      /^Restart policy for all containers within the pod\.[\s\S]*Possible enum values:/,
    )
    expect(components.schemas['io.k8s.api.core.v1.ServicePort']?.properties.protocol?.default).toBe(
      'TCP',
    )
  })
  test('descriptions are those of the release, with the aggregator and enum values', () => {
    const textOf = (type: string, field = '') => words.ofField(`io.k8s.${type}`, field)
    expect(words.ofType('io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService')).toMatch(
      /^APIService represents/,
    )
    expect(textOf('api.core.v1.Volume', 'image')).toMatch(/OCI object/)
    expect(textOf('api.admissionregistration.v1.RuleWithOperations', 'resources')).toMatch(
      /'pods\/\*' means/,
    )
    expect(textOf('api.core.v1.SecretKeySelector', 'name')).toMatch(/effectively required/)
    expect(textOf('api.admissionregistration.v1alpha1.MatchCondition')).toBe('')
    const { components } = openapiV3('api/v1', words) as {
      components: { schemas: Record<string, { properties: Record<string, JsonObject> }> }
    }
    const policy = components.schemas['io.k8s.api.core.v1.Container']?.properties.imagePullPolicy
      ?.description as string
    expect(policy).toContain(' - `"Never"` means that kubelet never pulls an image')
    expect(policy.split('Possible enum values:')).toHaveLength(2)
  })
  test('a definition is the usual type, even if a field overrides its map type', () => {
    for (const name of ['api/v1', 'apis/storage.k8s.io/v1']) {
      const { components } = openapiV3(name, words) as {
        components: { schemas: Record<string, JsonObject> }
      }
      expect(components.schemas['io.k8s.api.core.v1.ObjectReference'], name).toHaveProperty(
        'x-kubernetes-map-type',
        'atomic',
      )
      expect(JSON.stringify(components.schemas['io.k8s.api.core.v1.PersistentVolumeSpec'])).toMatch(
        /"claimRef":\{[^[]*\[[^\]]*\],"x-kubernetes-map-type":"granular"/,
      )
    }
  })
  test('descriptions of plural kinds have no article, and mention watch if supported', () => {
    const { paths } = openapiV3('api/v1', words) as {
      paths: Record<string, Record<string, JsonObject>>
    }
    const at = (path: string, method: string) => paths[path]?.[method]?.description
    expect(at('/api/v1/namespaces/{namespace}/endpoints', 'post')).toBe('create Endpoints')
    expect(at('/api/v1/namespaces/{namespace}/endpoints/{name}', 'delete')).toBe('delete Endpoints')
    expect(at('/api/v1/namespaces/{namespace}/events', 'post')).toBe('create an Event')
    expect(at('/api/v1/componentstatuses', 'get')).toBe('list objects of kind ComponentStatus')
  })
  test('parameters are sorted by name, with the descriptions of the options', () => {
    const { paths } = openapiV3('api/v1', words) as {
      paths: Record<string, { parameters: { name: string; description: string }[] }>
    }
    for (const [path, { parameters = [] }] of Object.entries(paths)) {
      const names = parameters.map(({ name }) => name)
      expect(names, path).toEqual([...names].sort())
    }
    const of = (subresource: string) =>
      paths[`/api/v1/namespaces/{namespace}/pods/{name}/${subresource}`]?.parameters ?? []
    expect(of('exec').find(({ name }) => name === 'command')?.description).toMatch(/argv array/)
    expect(of('attach').find(({ name }) => name === 'tty')?.description).toMatch(/attach call/)
    expect(of('log').find(({ name }) => name === 'limitBytes')?.description).toMatch(
      /before terminating the log output/,
    )
  })
  test('version 2 lists media types in the order of kube-apiserver', () => {
    const v2 = openapiV2(DISCOVERY, [], words) as {
      paths: Record<string, Record<string, { consumes?: string[]; produces: string[] }>>
    }
    const [json, yaml, protobuf] = [
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ]
    const pods = '/api/v1/namespaces/{namespace}/pods'
    expect(v2.paths[pods]?.get?.produces).toEqual([
      json,
      yaml,
      protobuf,
      `${json};stream=watch`,
      `${protobuf};stream=watch`,
    ])
    expect(
      v2.paths[`${pods}/{name}`]?.patch?.consumes?.map((type) => type.replace('application/', '')),
    ).toEqual([
      'json-patch+json',
      'merge-patch+json',
      'strategic-merge-patch+json',
      'apply-patch+yaml',
    ])
    expect(v2.paths['/apis/apps/v1/']?.get).toMatchObject({
      consumes: [json, yaml, protobuf],
      produces: [json, yaml, protobuf],
    })
    expect(v2.paths['/version/']?.get).toMatchObject({ consumes: [json], produces: [json] })
    expect(v2.paths['/openid/v1/jwks/']?.get).not.toHaveProperty('consumes')
  })
  test('version 2 shares common parameters under recorded names, since release 1.27', () => {
    const v2 = openapiV2(DISCOVERY, [], words) as {
      paths: Record<string, Record<string, { parameters?: JsonObject[] }>>
      parameters: Record<string, JsonObject>
    }
    const named = (item: { parameters?: JsonObject[] } | undefined) =>
      item?.parameters?.map(({ name, $ref }) => $ref ?? name)
    const path = v2.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']
    expect(named(path as { parameters?: JsonObject[] })).toEqual([
      'name',
      '#/parameters/namespace-vgWSWtn3',
      '#/parameters/pretty-tJGM1-ng',
    ])
    expect(named(path?.put)).toEqual([
      'body',
      'dryRun',
      '#/parameters/fieldManager-Qy4HdaTW',
      'fieldValidation',
    ])
    expect(named(path?.patch)?.[0]).toBe('#/parameters/body-78PwaGsr')
    expect(v2.parameters['body-2Y1dVQaQ']).toMatchObject({
      in: 'body',
      schema: { $ref: expect.stringMatching(/DeleteOptions$/) },
    })
    expect(openapiV2(DISCOVERY, [], words, identityOf('1.26'))).not.toHaveProperty('parameters')
  })
  test('version 2 is one document, without defaults', () => {
    const v2 = openapiV2(DISCOVERY, [], words) as {
      paths: JsonObject
      definitions: Record<string, { properties?: Record<string, JsonObject> }>
    }
    expect(v2.paths).toHaveProperty(['/api/v1/namespaces/{namespace}/pods/{name}/exec'])
    expect(v2.paths).not.toHaveProperty(['/apis/resource.k8s.io/v1alpha3/resourceslices'])
    expect(
      v2.definitions['io.k8s.api.core.v1.ServicePort']?.properties?.protocol,
    ).not.toHaveProperty('default')
    expect(v2.definitions['io.k8s.api.apps.v1.Deployment']?.properties?.spec).toMatchObject({
      $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentSpec',
    })
  })
  test('an unserved group has no document', () => {
    expect(openapiV3('apis/nosuch/v1', words)).toBeUndefined()
    expect(builtinDocuments(DISCOVERY)).not.toContain('apis/resource.k8s.io/v1alpha3')
  })
  test('documents of a definition omit examples, and operations accept JSON and YAML', () => {
    const word = { type: 'string', example: 'x', externalDocs: { url: 'http://docs.example' } }
    const resource: CustomResource = {
      ...{
        group: 'example.com',
        version: 'v1',
        plural: 'widgets',
        kind: 'Widget',
        listKind: 'WidgetList',
      },
      ...{ namespaced: false, hasStatus: false, hasScale: false },
      schema: { type: 'object', properties: { spec: word, example: { type: 'string' } } },
    }
    const { components } = openapiV3OfCustom([resource], words, builtinModel(), tables) as {
      components: { schemas: Record<string, JsonObject> }
    }
    expect(components.schemas['com.example.v1.Widget']?.properties).toMatchObject({
      spec: { type: 'string' },
      example: { type: 'string' },
    })
    expect(JSON.stringify(components.schemas['com.example.v1.Widget'])).not.toMatch(
      /externalDocs|"example":"x"/,
    )
    const { paths } = openapiV2(DISCOVERY, [resource], words) as {
      paths: Record<string, Record<string, JsonObject>>
    }
    expect(paths['/apis/example.com/v1/widgets']?.get?.consumes).toEqual([
      'application/json',
      'application/yaml',
    ])
  })
  test('the hash depends on the definition', () => {
    const [first] = recordings('crd-def-serve')
      .map(definedIn)
      .filter((list) => list.length > 0)
    const [resource] = first as [CustomResource]
    expect(customHash([resource])).toBe(customHash([{ ...resource }]))
    expect(customHash([resource])).not.toBe(
      customHash([{ ...resource, schema: { type: 'object' } }]),
    )
  })
})
