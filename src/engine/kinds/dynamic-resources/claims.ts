/** Rules of ResourceClaims and their templates. Recorded from kube-apiserver 1.31. */

import { entryOf, equalJson, type JsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { dropGatedPaths } from '../../registry/gated-paths'
import {
  STATUS_ALONE,
  type Strategy,
  type StrategyContext,
  type StrategyEngine,
} from '../../registry/strategy'
import type { Changes } from '../../release-tables/changes'
import { forbiddenField, invalidValue, sinceChange } from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { dnsSubdomainProblems } from '../../validation/names'
import { isExtendedResource } from '../../validation/resource-names'
import { setErrors } from '../../validation/sets'
import { templateMetadataErrors } from '../../validation/template-metadata'
import type { NodeSelector } from '../core/pod-types'
import { nodeSelectorErrors } from '../core/pod-validation/affinity'
import { type Claim, claimStatusErrors } from './claim-status'
import {
  type ClaimSpec,
  type Configuration,
  claimErrors,
  configurationErrors,
  defaultClaim,
  defaultDevices,
  LONGEST,
  type Selector,
  selectorErrors,
} from './device-claim'
import { addConfiguration, addSelectors, deviceClaimErrors } from './device-requests'
import { Findings } from './findings'
import {
  GATED_IN_CLAIMS,
  GATED_IN_CLASSES,
  GATED_IN_STATUS,
  GATED_IN_TEMPLATES,
} from './gated-members'
import { laterClaimStatusErrors } from './later-claim-status'

interface Template extends KubeObject {
  spec?: { metadata?: JsonObject; spec?: ClaimSpec }
}

/** Unless stored. */
function dropGated<Member extends string>(
  { featureGates }: StrategyEngine,
  member: Member,
  part: { [name in Member]?: unknown } | undefined,
  old?: { [name in Member]?: unknown },
): void {
  if (featureGates.DRAControlPlaneController !== true && part && old?.[member] === undefined)
    delete part[member]
}

const fixedSpec = (object: KubeObject, old: KubeObject, type: string): FieldError[] =>
  equalJson(object.spec, old.spec)
    ? []
    : [invalidStructure('spec', type, object.spec, 'field is immutable')]

const defaultsBy = (changes: Changes) =>
  changes.has('DeviceRequestKinds') ? defaultDevices : defaultClaim

/** Later releases reject changed specs without further validation. */
const isMoved = (
  { tables }: StrategyEngine,
  object: KubeObject,
  old: KubeObject | undefined,
): boolean =>
  tables.changes.has('DeviceRequestKinds') && old !== undefined && !equalJson(object.spec, old.spec)

const rulesBy =
  (engine: StrategyEngine) =>
  (spec: ClaimSpec, path: string): FieldError[] =>
    engine.tables.changes.has('DeviceRequestKinds')
      ? deviceClaimErrors(engine, spec.devices ?? {}, `${path}.devices`)
      : claimErrors(spec, path)

const ADMIN_LABEL = 'resource.kubernetes.io/admin-access'

/** The namespace must have a label (KEP-5018). */
async function adminErrors(
  { devices }: ClaimSpec,
  { metadata: { namespace = '' } }: KubeObject,
  { engine, read }: StrategyContext,
): Promise<FieldError[]> {
  const i = (devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true)
  if (i < 0 || engine.featureGates.DRAAdminAccess !== true) return []
  const found = await read('', 'namespaces', '', namespace)
  if (entryOf(found?.metadata.labels, ADMIN_LABEL) === 'true') return []
  const why = `admin access to devices requires the \`${ADMIN_LABEL}: true\` label on the containing namespace`
  return [forbiddenField(`spec.devices.requests[${i}].adminAccess`, why)]
}

export const resourceClaimStrategy: Strategy = {
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  behindGates: (_, changes) => ({
    defaults: (object) => defaultsBy(changes)((object as Claim).spec),
  }),
  prepareForCreate(object, { engine }) {
    dropGated(engine, 'controller', (object as Claim).spec)
    dropGatedPaths(engine.featureGates, GATED_IN_CLAIMS, object)
  },
  prepareForUpdate(object, old, { engine }) {
    dropGated(engine, 'controller', (object as Claim).spec, (old as Claim).spec)
    dropGatedPaths(engine.featureGates, GATED_IN_CLAIMS, object, old)
  },
  async validate(object, context, old) {
    const { engine } = context
    const { spec = {} } = object as Claim
    if (isMoved(engine, object, old)) return []
    const ofAdmin = old === undefined ? await adminErrors(spec, object, context) : []
    return [...ofAdmin, ...rulesBy(engine)(spec, 'spec')]
  },
  validateUpdate: (object, old, { engine }) => [
    ...fixedSpec(object, old, 'resource.v1alpha3.ResourceClaimSpec'),
    ...(isMoved(engine, object, old) ? [] : rulesBy(engine)((object as Claim).spec ?? {}, 'spec')),
  ],
  status: {
    prepareForUpdate(object, old, { engine }) {
      object.spec = old.spec
      const [status, before] = [(object as Claim).status, (old as Claim).status]
      dropGated(engine, 'controller', status?.allocation, before?.allocation)
      dropGated(engine, 'deallocationRequested', status, before)
      dropGatedPaths(engine.featureGates, GATED_IN_STATUS, object, old)
    },
    validateUpdate: (object, old, { engine }) =>
      engine.tables.changes.has('DeviceRequestKinds')
        ? laterClaimStatusErrors(engine, object, old)
        : claimStatusErrors(object as Claim, old as Claim),
  },
}

export const resourceClaimTemplateStrategy: Strategy = {
  behindGates: (_, changes) => ({
    defaults: (object) => defaultsBy(changes)((object as Template).spec?.spec),
  }),
  prepareForCreate(object, { engine }) {
    dropGated(engine, 'controller', (object as Template).spec?.spec)
    dropGatedPaths(engine.featureGates, GATED_IN_TEMPLATES, object)
  },
  prepareForUpdate(object, old, { engine }) {
    const [spec, before] = [(object as Template).spec?.spec, (old as Template).spec?.spec]
    dropGated(engine, 'controller', spec, before)
    dropGatedPaths(engine.featureGates, GATED_IN_TEMPLATES, object, old)
  },
  async validate(object, context, old) {
    const { engine } = context
    if (isMoved(engine, object, old)) return []
    const spec = (object as Template).spec?.spec ?? {}
    const ofAdmin = old === undefined ? await adminErrors(spec, object, context) : []
    return [...ofAdmin, ...templateErrors(object as Template, engine)]
  },
  validateUpdate: (object, old, { engine }) => [
    ...fixedSpec(object, old, 'resource.v1alpha3.ResourceClaimTemplateSpec'),
    ...(isMoved(engine, object, old) ? [] : templateErrors(object as Template, engine)),
  ],
}

const templateErrors = ({ spec = {} }: Template, engine: StrategyEngine): FieldError[] => [
  ...templateMetadataErrors(spec.metadata ?? {}, 'spec.metadata'),
  ...rulesBy(engine)(spec.spec ?? {}, 'spec.spec'),
]

type ClassSpec =
  | {
      selectors?: Selector[]
      config?: Configuration[]
      suitableNodes?: NodeSelector
      extendedResourceName?: string
    }
  | undefined

export const deviceClassStrategy: Strategy = {
  generationFields: ['spec'],
  prepareForCreate(object, { engine }) {
    dropGated(engine, 'suitableNodes', object.spec as ClassSpec)
    dropGatedPaths(engine.featureGates, GATED_IN_CLASSES, object)
  },
  prepareForUpdate(object, old, { engine }) {
    dropGated(engine, 'suitableNodes', object.spec as ClassSpec, old.spec as ClassSpec)
    dropGatedPaths(engine.featureGates, GATED_IN_CLASSES, object, old)
  },
  validate(object, { engine }) {
    const { selectors, config, suitableNodes } = (object.spec as ClassSpec) ?? {}
    if (engine.tables.changes.has('DeviceRequestKinds'))
      return laterClassErrors(engine, (object.spec as ClassSpec) ?? {})
    return [
      ...selectorErrors(selectors, 'spec.selectors'),
      ...setErrors(config, 'spec.config', { longest: LONGEST, errors: configurationErrors }),
      ...(suitableNodes ? nodeSelectorErrors(suitableNodes, 'suitableNodes') : []),
    ]
  },
}

function laterClassErrors(
  engine: StrategyEngine,
  { selectors, config, extendedResourceName: name }: NonNullable<ClassSpec>,
): FieldError[] {
  const findings = new Findings(engine)
  addSelectors(findings, selectors, 'spec.selectors')
  findings.addList(config, 'spec.config', {
    longest: LONGEST,
    item: (one, path) => addConfiguration(findings, one, path),
    isTagged: true,
  })
  const field = 'spec.extendedResourceName'
  if (name !== undefined && !isExtendedResource(name))
    findings.addTagged(wrongExtendedName(field, name))
  return findings.all
}

function wrongExtendedName(field: string, name: string): FieldError {
  const error = invalidValue(field, name, 'must be a valid extended resource name')
  const why = "a name must be a domain-prefixed path, such as 'example.com/my-prop'"
  return name.includes('/')
    ? error
    : sinceChange('TextsOfTags', invalidValue(field, name, why), error)
}

const MOST_NODES = 128

export const podSchedulingContextStrategy: Strategy = {
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  validate: (object) =>
    nodeErrors(
      (object.spec as { potentialNodes?: string[] } | undefined)?.potentialNodes,
      'spec.potentialNodes',
    ),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate: (object) =>
      setErrors(
        (
          object.status as
            | { resourceClaims?: { name?: string; unsuitableNodes?: string[] }[] }
            | undefined
        )?.resourceClaims,
        'status.claims',
        {
          longest: Number.POSITIVE_INFINITY,
          errors: ({ unsuitableNodes }, path) =>
            nodeErrors(unsuitableNodes, `${path}.unsuitableNodes`),
          key: ({ name = '' }) => name,
        },
      ),
  },
}

const nodeErrors = (nodes: string[] | undefined, path: string): FieldError[] =>
  setErrors(nodes, path, {
    longest: MOST_NODES,
    errors: (node, at) =>
      dnsSubdomainProblems(node).map((problem) => invalidValue(at, node, problem)),
    key: (node) => node,
  })
