/** Claims for devices, templates of claims, and classes of devices (rules and texts recorded). */
import type { FieldError } from '../../http/status'
import { equalJson, type KubeObject } from '../../object'
import { forbiddenField, invalidValue, required } from '../field-errors'
import { invalidStructure } from '../rules/go-literal'
import { dnsSubdomainProblems } from '../rules/names'
import { setErrors } from '../rules/sets'
import { driverNameErrors } from '../rules/volumes'
import { STATUS_ALONE, type Strategy } from '../strategy'
import {
  type ClaimSpec,
  type Configuration,
  claimErrors,
  configurationErrors,
  defaultClaim,
  LONGEST,
  requestReferenceErrors,
  type Selector,
  selectorErrors,
} from './device-claim'
import { labelNameErrors, poolNameErrors } from './names'

interface Result {
  request?: string
  driver?: string
  pool?: string
  device?: string
}

interface Consumer {
  resource?: string
  name?: string
  uid?: string
}

interface Status {
  allocation?: { controller?: string; devices?: { results?: Result[] } }
  reservedFor?: Consumer[]
}

interface Claim extends KubeObject {
  spec?: ClaimSpec
  status?: Status
}

interface Template extends KubeObject {
  spec?: { spec?: ClaimSpec }
}

const IMMUTABLE = 'field is immutable'

/** What a driver's own controller would need waits for a feature gate, unless the stored object has it. */
function dropGated<Member extends string>(
  member: Member,
  part: { [name in Member]?: unknown } | undefined,
  old?: { [name in Member]?: unknown },
): void {
  if (part && old?.[member] === undefined) delete part[member]
}

const fixedSpec = (object: KubeObject, old: KubeObject, type: string): FieldError[] =>
  equalJson(object.spec, old.spec) ? [] : [invalidStructure('spec', type, object.spec, IMMUTABLE)]

export const resourceClaimStrategy: Strategy = {
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  defaults: (object) => defaultClaim((object as Claim).spec),
  prepareForCreate: (object) => dropGated('controller', (object as Claim).spec),
  prepareForUpdate: (object, old) => dropGated('controller', (object as Claim).spec, (old as Claim).spec),
  validate: (object) => claimErrors((object as Claim).spec ?? {}, 'spec'),
  validateUpdate: (object, old) => [
    ...fixedSpec(object, old, 'resource.v1alpha3.ResourceClaimSpec'),
    ...claimErrors((object as Claim).spec ?? {}, 'spec'),
  ],
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
      dropGated('controller', (object as Claim).status?.allocation, (old as Claim).status?.allocation)
    },
    validateUpdate: (object, old) => statusErrors(object as Claim, old as Claim),
  },
}

function statusErrors({ spec, status = {} }: Claim, old: Claim): FieldError[] {
  const { allocation, reservedFor } = status
  const before = old.status?.allocation
  const names = new Set((spec?.devices?.requests ?? []).map(({ name = '' }) => name))
  const reserved = reservedFor?.length && !allocation
  const moved = allocation && before && !equalJson(allocation, before)
  return [
    ...setErrors(reservedFor, 'status.reservedFor', {
      longest: LONGEST,
      errors: consumerErrors,
      key: ({ uid = '' }) => uid,
      member: 'uid',
    }),
    ...setErrors(allocation?.devices?.results, 'status.allocation.devices.results', {
      longest: LONGEST,
      errors: (result, path) => resultErrors(result, names, path),
    }),
    ...(reserved ? [forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set')] : []),
    ...(moved ? [invalidStructure('status.allocation', 'resource.v1alpha3.AllocationResult', allocation, IMMUTABLE)] : []),
  ]
}

const consumerErrors = ({ resource, name, uid }: Consumer, path: string): FieldError[] => [
  ...(resource ? [] : [required(`${path}.resource`)]),
  ...(name ? [] : [required(`${path}.name`)]),
  ...(uid ? [] : [required(`${path}.uid`)]),
]

const resultErrors = ({ request = '', driver, pool = '', device = '' }: Result, names: Set<string>, path: string): FieldError[] => [
  ...requestReferenceErrors(request, names, `${path}.request`),
  ...driverNameErrors(`${path}.driver`, driver),
  ...poolNameErrors(`${path}.pool`, pool),
  ...labelNameErrors(`${path}.device`, device),
]

export const resourceClaimTemplateStrategy: Strategy = {
  defaults: (object) => defaultClaim((object as Template).spec?.spec),
  prepareForCreate: (object) => dropGated('controller', (object as Template).spec?.spec),
  prepareForUpdate: (object, old) => dropGated('controller', (object as Template).spec?.spec, (old as Template).spec?.spec),
  validate: (object) => claimErrors((object as Template).spec?.spec ?? {}, 'spec.spec'),
  validateUpdate: (object, old) => [
    ...fixedSpec(object, old, 'resource.v1alpha3.ResourceClaimTemplateSpec'),
    ...claimErrors((object as Template).spec?.spec ?? {}, 'spec.spec'),
  ],
}

type ClassSpec = { selectors?: Selector[]; config?: Configuration[]; suitableNodes?: unknown } | undefined

export const deviceClassStrategy: Strategy = {
  generationFields: ['spec'],
  prepareForCreate: (object) => dropGated('suitableNodes', object.spec as ClassSpec),
  prepareForUpdate: (object, old) => dropGated('suitableNodes', object.spec as ClassSpec, old.spec as ClassSpec),
  validate(object) {
    const { selectors, config } = (object.spec as ClassSpec) ?? {}
    return [
      ...selectorErrors(selectors, 'spec.selectors'),
      ...setErrors(config, 'spec.config', { longest: LONGEST, errors: configurationErrors }),
    ]
  },
}

const MOST_NODES = 128

export const podSchedulingContextStrategy: Strategy = {
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  validate: (object) => nodeErrors((object.spec as { potentialNodes?: string[] } | undefined)?.potentialNodes, 'spec.potentialNodes'),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate: (object) =>
      setErrors(
        (object.status as { resourceClaims?: { name?: string; unsuitableNodes?: string[] }[] } | undefined)?.resourceClaims,
        'status.claims',
        {
          longest: Number.POSITIVE_INFINITY,
          errors: ({ unsuitableNodes }, path) => nodeErrors(unsuitableNodes, `${path}.unsuitableNodes`),
          key: ({ name = '' }) => name,
        },
      ),
  },
}

const nodeErrors = (nodes: string[] | undefined, path: string): FieldError[] =>
  setErrors(nodes, path, {
    longest: MOST_NODES,
    errors: (node, at) => dnsSubdomainProblems(node).map((problem) => invalidValue(at, node, problem)),
    key: (node) => node,
  })
