import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  compareVersions,
  type ServedGroup,
  withCustomGroups,
} from '../../src/engine/encoding/discovery'
import { sha256 } from '../../src/engine/encoding/sha256'
import { DISCOVERY, DISCOVERY_ALL } from '../../src/engine/generated/discovery'
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'

/**
 * Returns our response to a discovery request; undefined if the path is invalid or of a custom
 * group.
 */
function result(
  path: string,
  accept: string,
  groups: ServedGroup[],
  serverAddress: string,
): JsonObject | undefined {
  const aggregated = /g=apidiscovery[^,]*v=(v2beta1|v2)\b/.exec(accept)?.[1] as
    | 'v2'
    | 'v2beta1'
    | undefined
  const [root, group, version, rest] = path.replace(/^\/|\/$|\?.*/g, '').split('/')
  if (rest !== undefined) return undefined
  if (root === 'api' && version === undefined) {
    if (group !== undefined) return apiResourceList(groups, '', group)
    return aggregated
      ? aggregatedDiscovery(groups, 'api', aggregated)
      : apiVersions(groups, serverAddress)
  }
  if (root !== 'apis') return undefined
  if (group === undefined)
    return aggregated ? aggregatedDiscovery(groups, 'apis', aggregated) : apiGroupList(groups)
  return version === undefined ? apiGroup(groups, group) : apiResourceList(groups, group, version)
}

const DISCOVERY_KIND = /^(APIVersions|APIGroup|APIGroupList|APIResourceList|APIGroupDiscoveryList)$/

describe('recorded discovery documents of built-in groups are reproduced', () => {
  const files = FOLDERS.flatMap((folder) => recordingFiles(folder)).filter(({ name }) =>
    /^(wire-discovery|kinds-runtimeconfig)$/.test(name),
  )
  for (const file of files) {
    const groups = file.name === 'kinds-runtimeconfig' ? DISCOVERY_ALL : DISCOVERY
    for (const recording of readRecordings(file)) {
      const responses = recording.steps.flatMap(({ id, request, response }) => {
        if (
          response.status !== 200 ||
          !response.headers['content-type']?.startsWith('application/json')
        )
          return []
        const document = JSON.parse(response.text || 'null') as JsonObject
        const custom = /\.example\.com/.test(request.path)
        return document && !custom && DISCOVERY_KIND.test(document.kind as string)
          ? [{ id, request, document }]
          : []
      })
      if (responses.length === 0) continue
      test(`${recording.name}: ${recording.doc}`, () => {
        for (const { id, request, document } of responses) {
          const [address] = (document.serverAddressByClientCIDRs ?? []) as {
            serverAddress: string
          }[]
          const made = result(
            request.path,
            request.headers?.Accept ?? '',
            groups,
            address?.serverAddress ?? '',
          )
          expect(JSON.stringify(made), id).toBe(JSON.stringify(document))
        }
      })
    }
  }
})

describe('custom groups', () => {
  const group = (name: string, ...versions: string[]): ServedGroup => ({
    metadata: { name, creationTimestamp: null },
    versions: versions.map((version) => ({
      version,
      freshness: 'Current',
      resources: [
        {
          resource: 'gadgets',
          responseKind: { group: name, version, kind: 'Gadget' },
          scope: 'Namespaced',
          singularResource: 'gadget',
          verbs: ['get', 'watch'],
          storedAs: { group: name, version: 'v1' },
        },
      ],
    })),
  })

  test('follow the built-in groups, sorted by name', () => {
    const names = withCustomGroups(DISCOVERY, [
      group('z.example.com', 'v1'),
      group('a.example.com', 'v1'),
    ]).map(({ metadata }) => metadata.name)
    expect(names.slice(-2)).toEqual(['a.example.com', 'z.example.com'])
    expect(names.slice(0, DISCOVERY.length)).toEqual(DISCOVERY.map(({ metadata }) => metadata.name))
  })
  test('add new versions to a built-in group, before its own', () => {
    const groups = withCustomGroups(DISCOVERY, [group('apiextensions.k8s.io', 'v1', 'vnext')])
    expect(groups).toHaveLength(DISCOVERY.length)
    const { versions = [] } =
      groups.find(({ metadata }) => metadata.name === 'apiextensions.k8s.io') ?? {}
    expect(
      versions.map(({ version, resources }) => [
        version,
        resources.map(({ resource }) => resource),
      ]),
    ).toEqual([
      ['vnext', ['gadgets']],
      ['v1', ['customresourcedefinitions']],
    ])
  })
  test('prefer stable and new versions', () => {
    const groups = withCustomGroups(
      [],
      [group('x.io', 'v1', 'v1beta1', 'v2alpha1', 'v10', 'v2', 'foo1')],
    )
    expect(groups[0]?.versions.map(({ version }) => version)).toEqual([
      'v10',
      'v2',
      'v1',
      'v1beta1',
      'v2alpha1',
      'foo1',
    ])
    expect(apiGroup(groups, 'x.io')?.preferredVersion).toEqual({
      groupVersion: 'x.io/v10',
      version: 'v10',
    })
  })
  test('have the hash of their storage version, not in aggregated discovery', () => {
    const groups = withCustomGroups([], [group('wiredisc.example.com', 'v1', 'v1beta1')])
    const document = apiResourceList(groups, 'wiredisc.example.com', 'v1beta1') as unknown as {
      resources: JsonObject[]
    }
    expect(document.resources[0]?.storageVersionHash).toBe('geXac6IEsm8=')
    expect(JSON.stringify(aggregatedDiscovery(groups, 'apis', 'v2'))).not.toContain('storedAs')
  })
  test('an unknown group or version has no document', () => {
    expect(apiGroup(DISCOVERY, 'nosuch')).toBeUndefined()
    expect(apiResourceList(DISCOVERY, 'apps', 'v7')).toBeUndefined()
  })
})

test('the order of versions is a total order', () => {
  const version = fc.stringMatching(/^(v[1-9]\d?((alpha|beta)[1-9])?|[a-z]{1,3})$/)
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0)
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
        expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
    }),
  )
})

test('SHA-256 agrees with the platform', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(
        createHash('sha256').update(bytes).digest('hex'),
      )
    }),
  )
})
