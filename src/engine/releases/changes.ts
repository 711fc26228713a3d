/** Notable changes of kubernetes.io, "Deprecated API Migration Guide". */
import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../core/object'
import { objectAt, objectsIn } from './conversions/members'
import type { NotableChange } from './notable-change'

const specOf = (object: KubeObject): JsonObject => objectAt(object, 'spec') ?? {}
const listOf = (object: KubeObject, name: string): JsonObject[] =>
  objectsIn((object as unknown as JsonObject)[name])
const quoted = (value: Json | undefined): string => JSON.stringify(value ?? null)

const ofEach = (
  list: JsonObject[],
  path: string,
  check: (item: JsonObject) => string | undefined,
): string[] =>
  list.flatMap((item, i) => {
    const problem = check(item)
    return problem === undefined ? [] : [`${path}[${i}]${problem}`]
  })

export const FLOW_CONTROL = {
  shares: {
    name: 'shares-renamed',
    text: 'spec.limited.assuredConcurrencyShares is renamed to nominalConcurrencyShares',
    members: ['spec.limited.assuredConcurrencyShares', 'spec.limited.nominalConcurrencyShares'],
  },
  zeroShares: {
    name: 'zero-shares',
    text: 'spec.limited.nominalConcurrencyShares defaults to 30 only if unset; 0 remains 0',
    members: ['spec.limited.nominalConcurrencyShares'],
  },
} satisfies Record<string, NotableChange>

export const AUTOSCALER = {
  target: {
    name: 'metric-targets',
    text: 'targetAverageUtilization is target.averageUtilization with target.type Utilization; other targets change likewise',
    members: ['spec.metrics[]', 'status.currentMetrics[]', 'spec.behavior'],
  },
} satisfies Record<string, NotableChange>

export const ENDPOINT_SLICE = {
  place: {
    name: 'node-and-zone',
    text: 'nodeName and zone of an endpoint replace two topology keys',
    members: ['endpoints[].nodeName', 'endpoints[].zone', 'endpoints[].topology'],
  },
  topology: {
    name: 'deprecated-topology',
    text: 'topology is renamed to deprecatedTopology and is read-only',
    members: ['endpoints[].deprecatedTopology'],
    undecided: (object) =>
      ofEach(listOf(object, 'endpoints'), 'endpoints', ({ deprecatedTopology: topology }) =>
        isJsonObject(topology)
          ? `.deprecatedTopology cannot be written: ${Object.keys(topology).join(', ')} will be lost`
          : undefined,
      ),
  },
} satisfies Record<string, NotableChange>

const OLD_EVENT_MEMBERS = [
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'deprecatedCount',
  'deprecatedSource',
]

export const EVENT = {
  required: {
    name: 'reporter-required',
    text: 'action, reason, reportingController and reportingInstance are required; type is Normal or Warning',
    members: ['action', 'reason', 'reportingController', 'reportingInstance', 'type'],
    undecided: (object) => [
      ...['action', 'reason', 'reportingController', 'reportingInstance'].flatMap((name) =>
        object[name] ? [] : [`${name} is required`],
      ),
      ...(object.type === 'Normal' || object.type === 'Warning'
        ? []
        : [`type is ${quoted(object.type as Json)}, and must be Normal or Warning`]),
    ],
  },
  times: {
    name: 'event-time',
    text: 'eventTime, series.lastObservedTime and series.count replace firstTimestamp, lastTimestamp and count',
    members: ['eventTime', 'series'],
    undecided: (object) => (object.eventTime ? [] : ['eventTime is required']),
  },
  old: {
    name: 'deprecated-members',
    text: 'deprecatedFirstTimestamp, deprecatedLastTimestamp, deprecatedCount and deprecatedSource are not allowed on new objects',
    members: OLD_EVENT_MEMBERS,
    undecided: (object) =>
      OLD_EVENT_MEMBERS.filter((name) => object[name]).map(
        (name) => `${name} is not allowed on new objects`,
      ),
  },
} satisfies Record<string, NotableChange>

export const BUDGET = {
  emptySelector: {
    name: 'empty-selector',
    text: 'an empty spec.selector selects all pods of the namespace in v1, and none in v1beta1; an absent one selects none in both',
    members: ['spec.selector'],
  },
} satisfies Record<string, NotableChange>

const SIDE_EFFECTS: Json[] = ['None', 'NoneOnDryRun']
const REVIEW_VERSIONS: Json[] = ['v1', 'v1beta1']

export const WEBHOOK = {
  failurePolicy: {
    name: 'failure-policy',
    text: 'webhooks[].failurePolicy defaults to Fail, formerly to Ignore',
    members: ['webhooks[].failurePolicy'],
  },
  matchPolicy: {
    name: 'match-policy',
    text: 'webhooks[].matchPolicy defaults to Equivalent, formerly to Exact',
    members: ['webhooks[].matchPolicy'],
  },
  timeout: {
    name: 'timeout',
    text: 'webhooks[].timeoutSeconds defaults to 10, formerly to 30',
    members: ['webhooks[].timeoutSeconds'],
  },
  sideEffects: {
    name: 'side-effects',
    text: 'webhooks[].sideEffects is required: None or NoneOnDryRun',
    members: ['webhooks[].sideEffects'],
    undecided: (object) =>
      ofEach(listOf(object, 'webhooks'), 'webhooks', ({ sideEffects: effects }) =>
        SIDE_EFFECTS.includes(effects ?? null)
          ? undefined
          : `.sideEffects is ${quoted(effects)}, and must be None or NoneOnDryRun`,
      ),
  },
  reviewVersions: {
    name: 'review-versions',
    text: 'webhooks[].admissionReviewVersions is required; v1 and v1beta1 are supported',
    members: ['webhooks[].admissionReviewVersions'],
    undecided: (object) =>
      ofEach(listOf(object, 'webhooks'), 'webhooks', ({ admissionReviewVersions: versions }) =>
        Array.isArray(versions) && versions.some((version) => REVIEW_VERSIONS.includes(version))
          ? undefined
          : `.admissionReviewVersions is ${quoted(versions)}, and must name v1 or v1beta1`,
      ),
  },
  uniqueNames: {
    name: 'unique-names',
    text: 'webhooks[].name must be unique in the list',
    members: ['webhooks[].name'],
    undecided(object) {
      const names = listOf(object, 'webhooks').map(({ name }) => name)
      return names.flatMap((name, i) =>
        names.indexOf(name) < i ? [`webhooks[${i}].name ${quoted(name)} is there twice`] : [],
      )
    },
  },
} satisfies Record<string, NotableChange>

/** v1 requires types. */
function untyped(schema: JsonObject, path: string): string[] {
  const free =
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true
  const below = [
    ...Object.entries(objectAt(schema, 'properties') ?? {}).map(
      ([name, inner]) => [inner, `${path}.properties[${name}]`] as const,
    ),
    ...['items', 'additionalProperties'].map((name) => [schema[name], `${path}.${name}`] as const),
  ]
  return [
    ...(schema.type || free ? [] : [`${path}.type is required of a structural schema`]),
    ...below.flatMap(([inner, at]) => (isJsonObject(inner) ? untyped(inner, at) : [])),
  ]
}

export const DEFINITION = {
  scope: {
    name: 'scope-required',
    text: 'spec.scope is required; it formerly defaulted to Namespaced',
    members: ['spec.scope'],
  },
  versions: {
    name: 'per-version',
    text: 'spec.version, spec.validation, spec.subresources and spec.additionalPrinterColumns move to spec.versions[]',
    members: [
      'spec.version',
      'spec.versions',
      'spec.validation',
      'spec.subresources',
      'spec.additionalPrinterColumns',
      'spec.selectableFields',
    ],
  },
  conversion: {
    name: 'conversion-webhook',
    text: 'webhookClientConfig and conversionReviewVersions of spec.conversion move to spec.conversion.webhook',
    members: ['spec.conversion'],
  },
  schema: {
    name: 'structural-schema',
    text: 'every version requires a structural openAPIV3Schema',
    members: ['spec.versions[].schema'],
    undecided: (object) =>
      objectsIn(specOf(object).versions).flatMap((version, i) => {
        const schema = objectAt(objectAt(version, 'schema') ?? {}, 'openAPIV3Schema')
        const path = `spec.versions[${i}].schema.openAPIV3Schema`
        return schema === undefined ? [`${path} is required`] : untyped(schema, path)
      }),
  },
  unknownFields: {
    name: 'preserve-unknown-fields',
    text: 'spec.preserveUnknownFields must not be true; the schema sets x-kubernetes-preserve-unknown-fields instead',
    members: ['spec.preserveUnknownFields'],
    undecided: (object) =>
      specOf(object).preserveUnknownFields === true
        ? ['spec.preserveUnknownFields must not be true']
        : [],
  },
  jsonPath: {
    name: 'json-path',
    text: 'JSONPath of additionalPrinterColumns is renamed to jsonPath',
    members: [
      'spec.versions[].additionalPrinterColumns[].jsonPath',
      'spec.additionalPrinterColumns[].JSONPath',
    ],
  },
} satisfies Record<string, NotableChange>

export const REVIEW = {
  groups: {
    name: 'groups',
    text: 'spec.group is renamed to spec.groups',
    members: ['spec.group', 'spec.groups'],
  },
} satisfies Record<string, NotableChange>

const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown'

export const SIGNING_REQUEST = {
  signer: {
    name: 'signer-required',
    text: 'spec.signerName is required and must not be kubernetes.io/legacy-unknown',
    members: ['spec.signerName'],
    undecided(object) {
      const { signerName } = specOf(object)
      if (!signerName) return ['spec.signerName is required']
      return signerName === LEGACY_SIGNER
        ? [`spec.signerName cannot be ${LEGACY_SIGNER}: name the signer that is to sign`]
        : []
    },
  },
  usages: {
    name: 'usages-required',
    text: 'spec.usages is required: known, distinct values',
    members: ['spec.usages'],
    undecided(object) {
      const { usages } = specOf(object)
      if (!Array.isArray(usages) || usages.length === 0) return ['spec.usages is required']
      return usages.flatMap((usage, i) =>
        usages.indexOf(usage) < i ? [`spec.usages[${i}] ${quoted(usage)} is there twice`] : [],
      )
    },
  },
  conditions: {
    name: 'conditions',
    text: 'status.conditions must have distinct types, each with a status',
    members: ['status.conditions'],
  },
  certificate: {
    name: 'certificate',
    text: 'status.certificate must be PEM with CERTIFICATE blocks only',
    members: ['status.certificate'],
  },
} satisfies Record<string, NotableChange>

export const INGRESS = {
  defaultBackend: {
    name: 'default-backend',
    text: 'spec.backend is renamed to spec.defaultBackend',
    members: ['spec.backend', 'spec.defaultBackend'],
  },
  service: {
    name: 'service-backend',
    text: 'serviceName is service.name; a numeric servicePort is service.port.number, a name service.port.name',
    members: ['spec.rules[].http.paths[].backend'],
  },
  pathType: {
    name: 'path-type',
    text: 'pathType is required: Prefix, Exact or ImplementationSpecific',
    members: ['spec.rules[].http.paths[].pathType'],
  },
} satisfies Record<string, NotableChange>

export const WORKLOAD = {
  templateGeneration: {
    name: 'template-generation',
    text: 'spec.templateGeneration is removed; an annotation stores it',
    members: [
      'spec.templateGeneration',
      'metadata.annotations[deprecated.daemonset.template.generation]',
    ],
  },
  rollbackTo: {
    name: 'rollback-to',
    text: 'spec.rollbackTo is removed; an annotation requests a rollback',
    members: ['spec.rollbackTo', 'metadata.annotations[deprecated.deployment.rollback.to]'],
    undecided: (_, before) =>
      specOf(before).rollbackTo === undefined
        ? []
        : [
            'spec.rollbackTo went into an annotation, which makes the deployment go back once more: leave it out unless that is meant',
          ],
  },
  selector: {
    name: 'selector-required',
    text: 'spec.selector is required and immutable; it formerly defaulted to the labels of the template',
    members: ['spec.selector', 'metadata.labels'],
    undecided: (object) => {
      const labels =
        objectAt(
          objectAt(objectAt(specOf(object), 'template') ?? {}, 'metadata') ?? {},
          'labels',
        ) ?? {}
      const selector = objectAt(specOf(object), 'selector')
      if (selector === undefined) return ['spec.selector is required']
      const wanted = Object.entries(objectAt(selector, 'matchLabels') ?? {})
      return wanted.every(([name, value]) => equalJson(labels[name], value))
        ? []
        : ['spec.selector does not select the labels of the template']
    },
  },
  updateStrategy: {
    name: 'update-strategy',
    text: 'spec.updateStrategy.type defaults to RollingUpdate, formerly to OnDelete',
    members: ['spec.updateStrategy'],
  },
  progressDeadline: {
    name: 'progress-deadline',
    text: 'spec.progressDeadlineSeconds defaults to 600, formerly to no deadline',
    members: ['spec.progressDeadlineSeconds'],
  },
  revisionHistory: {
    name: 'revision-history',
    text: 'spec.revisionHistoryLimit defaults to 10, formerly to all or 2',
    members: ['spec.revisionHistoryLimit'],
  },
  rollingUpdate: {
    name: 'rolling-update',
    text: 'maxSurge and maxUnavailable default to 25%, formerly to 1',
    members: ['spec.strategy'],
  },
} satisfies Record<string, NotableChange>
