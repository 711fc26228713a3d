/**
 * Conversions between versions keep all information (kubernetes.io, "Kubernetes Deprecation Policy",
 * rule 2): stored objects round-trip through every older version, and objects written in an older
 * version are stable after the first conversion. The objects are generated from their types.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../../src/engine/core/object'
import { allVersions, conversionOf, RELEASES } from '../../src/engine/releases'
import { fillOlderDefaults } from '../../src/engine/releases/defaults'
import { canonicalize } from '../../src/engine/schema/canonical'
import { modelOfEveryRelease } from '../../src/engine/schema/every-release'
import type { StructType } from '../../src/engine/schema/model'
import { type Draw, grown } from '../generated/grow'
import { kubeObject } from '../support/json-objects'

const model = modelOfEveryRelease()

function typeOf(apiVersion: string, kind: string): StructType {
  const { group, version } = parseApiVersion(apiVersion)
  const type = model.byKind(group, version, kind)
  if (type === undefined) throw new Error(`no type of ${apiVersion} ${kind}`)
  return type
}

function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
const pick = <T>(draw: Draw, ...values: T[]): T => values[draw(values.length)] as T

function backend(draw: Draw): JsonObject {
  if (draw(4) === 0) return { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'b' } }
  return {
    service: {
      name: pick(draw, 'a', 'b'),
      port: pick<JsonObject>(draw, { number: 80 }, { name: 'http' }, { name: '80' }),
    },
  }
}

function target(draw: Draw, ...types: string[]): JsonObject {
  const type = pick(draw, ...types)
  if (type === 'Utilization') return { type, averageUtilization: 1 + draw(99) }
  return type === 'Value' ? { type, value: '7' } : { type, averageValue: '500m' }
}

const identifier = (draw: Draw): JsonObject => ({
  name: 'm',
  ...(draw(2) === 0 ? { selector: { matchLabels: { a: 'b' } } } : {}),
})

function metric(draw: Draw): JsonObject {
  const reference = { apiVersion: 'v1', kind: 'Service', name: 'web' }
  return pick<() => JsonObject>(
    draw,
    () => ({
      type: 'Resource',
      resource: { name: 'cpu', target: target(draw, 'Utilization', 'AverageValue') },
    }),
    () => ({
      type: 'ContainerResource',
      containerResource: {
        name: 'cpu',
        container: 'c',
        target: target(draw, 'Utilization', 'AverageValue'),
      },
    }),
    () => ({
      type: 'Pods',
      pods: { metric: identifier(draw), target: target(draw, 'AverageValue') },
    }),
    () => ({
      type: 'Object',
      object: {
        describedObject: reference,
        metric: identifier(draw),
        target: target(draw, 'Value', 'AverageValue'),
      },
    }),
    () => ({
      type: 'External',
      external: { metric: identifier(draw), target: target(draw, 'Value', 'AverageValue') },
    }),
  )()
}

/** What a stored object is like beyond its type, so that a server would have taken it. */
const MOLDS: Record<string, (spec: JsonObject, draw: Draw, object: KubeObject) => void> = {
  CustomResourceDefinition(spec, draw) {
    const names = ['v1', 'v1beta1'].slice(0, 1 + draw(2))
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'string' } } } }
    const shared = pick<JsonObject>(draw, { schema }, { schema, subresources: { status: {} } })
    spec.versions = names.map((name, i) => ({
      name,
      served: true,
      storage: i === 0,
      ...(draw(2) === 0
        ? shared
        : {
            schema,
            additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: `.spec.${name}` }],
          }),
    }))
    const client = {
      clientConfig: { url: 'https://hooks.example.com' },
      conversionReviewVersions: ['v1'],
    }
    spec.conversion = pick<JsonObject>(
      draw,
      { strategy: 'None' },
      { strategy: 'Webhook', webhook: client },
    )
    delete spec.selectableFields
  },
  DaemonSet(_, draw, { metadata }) {
    metadata.annotations = { 'deprecated.daemonset.template.generation': String(1 + draw(9)) }
  },
  Deployment(_, draw, { metadata }) {
    if (draw(2) === 0)
      metadata.annotations = { 'deprecated.deployment.rollback.to': String(draw(9)), other: 'x' }
  },
  EndpointSlice(_, draw, object) {
    for (const endpoint of objects(object.endpoints as Json)) {
      endpoint.nodeName = pick(draw, 'node-1', 'node-2')
      endpoint.deprecatedTopology = pick<JsonObject>(
        draw,
        {},
        { rack: '7' },
        { 'kubernetes.io/hostname': 'other' },
      )
    }
  },
  HorizontalPodAutoscaler(spec, draw) {
    spec.metrics = Array.from({ length: 1 + draw(3) }, () => metric(draw))
    spec.behavior = { scaleDown: { stabilizationWindowSeconds: draw(9), selectPolicy: 'Max' } }
  },
  Ingress(spec, draw) {
    if (draw(2) === 0) spec.defaultBackend = backend(draw)
    else delete spec.defaultBackend
    spec.rules = Array.from({ length: draw(3) }, () => ({
      host: 'a.example.com',
      http: {
        paths: Array.from({ length: 1 + draw(2) }, () => ({
          path: '/',
          pathType: 'Prefix',
          backend: backend(draw),
        })),
      },
    }))
  },
  PriorityLevelConfiguration(spec, draw) {
    if (isJsonObject(spec.limited)) spec.limited.nominalConcurrencyShares = pick(draw, 0, 7, 30)
  },
  PodDisruptionBudget(spec, draw) {
    const label = {
      key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match',
      operator: 'Exists',
    }
    const selector = pick<JsonObject | undefined>(
      draw,
      undefined,
      {},
      { matchLabels: { a: 'b' } },
      { matchExpressions: [label] },
    )
    if (selector) spec.selector = selector
    else delete spec.selector
  },
}

/** Kinds with their own test: autoscaling/v1 reports CPU utilization last. */
const ELSEWHERE = ['autoscaling/v1 HorizontalPodAutoscaler']

function stored(apiVersion: string, kind: string, seed: number): KubeObject {
  const draw = drawFrom(seed)
  const object = kubeObject(
    grown(typeOf(apiVersion, kind), { kind, apiVersion, metadata: { name: 'it' } }, draw, 3),
  )
  const spec = isJsonObject(object.spec as Json) ? (object.spec as JsonObject) : {}
  const mold = MOLDS[kind]
  mold?.(spec, draw, object)
  return canonicalize(
    typeOf(apiVersion, kind),
    mold && object.endpoints === undefined ? { ...object, spec } : object,
    'stored',
  )
}

const older = new Map<string, { apiVersion: string; kind: string }>()
for (const release of RELEASES)
  for (const { apiVersion, kind } of allVersions(release))
    if (conversionOf(apiVersion, kind)) older.set(`${apiVersion} ${kind}`, { apiVersion, kind })

const RUNS = { numRuns: 60, seed: 11 }

describe('every older version', () => {
  for (const [name, { apiVersion, kind }] of [...older]
    .sort()
    .filter(([key]) => !ELSEWHERE.includes(key))) {
    const conversion = conversionOf(apiVersion, kind)
    if (conversion === undefined) continue
    const { hub, toHub, fromHub } = conversion
    const hubVersion = hub.group === '' ? hub.version : `${hub.group}/${hub.version}`
    const [own, kept] = [typeOf(apiVersion, kind), typeOf(hubVersion, kind)]

    it(`${name} carries all that is stored`, () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const object = stored(hubVersion, kind, seed)
          const frozen = JSON.stringify(object)
          const back = canonicalize(kept, toHub(canonicalize(own, fromHub(object))), 'stored')
          expect(back).toEqual(object)
          expect(JSON.stringify(object)).toBe(frozen)
        }),
        RUNS,
      )
    })

    it(`${name} stays as it is after the first way to the store`, () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const draft = kubeObject(
            grown(own, { kind, apiVersion, metadata: { name: 'it' } }, drawFrom(seed), 3),
          )
          fillOlderDefaults(apiVersion, draft)
          const first = canonicalize(kept, toHub(canonicalize(own, draft)))
          const second = canonicalize(kept, toHub(canonicalize(own, fromHub(first))))
          expect(second).toEqual(first)
        }),
        RUNS,
      )
    })
  }
})
