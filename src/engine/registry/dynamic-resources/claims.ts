/** Claims for devices, templates of claims, and classes of devices (rules and texts recorded). */
import type { FieldError } from '../../http/status'
import { equalJson, type KubeObject } from '../../object'
import { forbiddenField, invalidValue, required } from '../field-errors'
import { invalidStructure } from '../rules/go-literal'
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
  allocation?: { devices?: { results?: Result[] } }
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

const fixedSpec = (object: KubeObject, old: KubeObject, type: string): FieldError[] =>
  equalJson(object.spec, old.spec) ? [] : [invalidStructure('spec', type, object.spec, IMMUTABLE)]

export const resourceClaimStrategy: Strategy = {
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  validatesAllOnUpdate: false,
  defaults: (object) => defaultClaim((object as Claim).spec),
  validate: (object) => claimErrors((object as Claim).spec ?? {}, 'spec'),
  validateUpdate: (object, old) => [
    ...fixedSpec(object, old, 'resource.v1alpha3.ResourceClaimSpec'),
    ...claimErrors((object as Claim).spec ?? {}, 'spec'),
  ],
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
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
  validatesAllOnUpdate: false,
  defaults: (object) => defaultClaim((object as Template).spec?.spec),
  validate: (object) => claimErrors((object as Template).spec?.spec ?? {}, 'spec.spec'),
  validateUpdate: (object, old) => [
    ...fixedSpec(object, old, 'resource.v1alpha3.ResourceClaimTemplateSpec'),
    ...claimErrors((object as Template).spec?.spec ?? {}, 'spec.spec'),
  ],
}

export const deviceClassStrategy: Strategy = {
  generationFields: ['spec'],
  validate(object) {
    const { selectors, config } = (object.spec ?? {}) as { selectors?: Selector[]; config?: Configuration[] }
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
    errors: (node, at) => (node === '' ? [invalidValue(at, node, 'must not be empty')] : []),
    key: (node) => node,
  })
