/**
 * Resource claims, claim templates and device classes. Rules and texts recorded from kube-apiserver
 * 1.31.
 */

import { equalJson, type JsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { STATUS_ALONE, type Strategy, type StrategyEngine } from '../../registry/strategy'
import type { Changes } from '../../release-tables/changes'
import { invalidValue } from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { dnsSubdomainProblems } from '../../validation/names'
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
import { deviceClaimErrors } from './device-requests'

interface Template extends KubeObject {
  spec?: { metadata?: JsonObject; spec?: ClaimSpec }
}

/** Drops members for control plane controllers behind a feature gate, unless stored. */
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

/** Whether the spec changes, which later releases reject without further validation. */
const isMoved = (
  { tables }: StrategyEngine,
  object: KubeObject,
  old: KubeObject | undefined,
): boolean =>
  tables.changes.has('DeviceRequestKinds') && old !== undefined && !equalJson(object.spec, old.spec)

/** The rules of the spec of a claim. */
const rulesBy =
  ({ tables }: StrategyEngine) =>
  (spec: ClaimSpec, path: string): FieldError[] =>
    tables.changes.has('DeviceRequestKinds')
      ? deviceClaimErrors(spec.devices ?? {}, `${path}.devices`)
      : claimErrors(spec, path)

export const resourceClaimStrategy: Strategy = {
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  behindGates: (_, changes) => ({
    defaults: (object) => defaultsBy(changes)((object as Claim).spec),
  }),
  prepareForCreate: (object, { engine }) => dropGated(engine, 'controller', (object as Claim).spec),
  prepareForUpdate: (object, old, { engine }) =>
    dropGated(engine, 'controller', (object as Claim).spec, (old as Claim).spec),
  validate: (object, { engine }, old) =>
    isMoved(engine, object, old) ? [] : rulesBy(engine)((object as Claim).spec ?? {}, 'spec'),
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
    },
    validateUpdate: (object, old) => claimStatusErrors(object as Claim, old as Claim),
  },
}

export const resourceClaimTemplateStrategy: Strategy = {
  behindGates: (_, changes) => ({
    defaults: (object) => defaultsBy(changes)((object as Template).spec?.spec),
  }),
  prepareForCreate: (object, { engine }) =>
    dropGated(engine, 'controller', (object as Template).spec?.spec),
  prepareForUpdate: (object, old, { engine }) =>
    dropGated(engine, 'controller', (object as Template).spec?.spec, (old as Template).spec?.spec),
  validate: (object, { engine }) => templateErrors(object as Template, engine),
  validateUpdate: (object, old, { engine }) => [
    ...fixedSpec(object, old, 'resource.v1alpha3.ResourceClaimTemplateSpec'),
    ...templateErrors(object as Template, engine),
  ],
}

const templateErrors = ({ spec = {} }: Template, engine: StrategyEngine): FieldError[] => [
  ...templateMetadataErrors(spec.metadata ?? {}, 'spec.metadata'),
  ...rulesBy(engine)(spec.spec ?? {}, 'spec.spec'),
]

type ClassSpec =
  | { selectors?: Selector[]; config?: Configuration[]; suitableNodes?: NodeSelector }
  | undefined

export const deviceClassStrategy: Strategy = {
  generationFields: ['spec'],
  prepareForCreate: (object, { engine }) =>
    dropGated(engine, 'suitableNodes', object.spec as ClassSpec),
  prepareForUpdate: (object, old, { engine }) =>
    dropGated(engine, 'suitableNodes', object.spec as ClassSpec, old.spec as ClassSpec),
  validate(object) {
    const { selectors, config, suitableNodes } = (object.spec as ClassSpec) ?? {}
    return [
      ...selectorErrors(selectors, 'spec.selectors'),
      ...setErrors(config, 'spec.config', { longest: LONGEST, errors: configurationErrors }),
      ...(suitableNodes ? nodeSelectorErrors(suitableNodes, 'suitableNodes') : []),
    ]
  },
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
