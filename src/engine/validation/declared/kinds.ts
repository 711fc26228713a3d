/**
 * The rules that kinds declare, by `group/Kind`. They correspond to the tags `+k8s:beta(since:
 * "1.37")` in k8s.io/api. Order and messages recorded from kube-apiserver 1.37.
 */

import { isJsonObject, type KubeObject } from '../../core/object'
import type { Engine } from '../../registry/engine'
import { dnsLabelProblems, dnsSubdomainProblems } from '../names'
import {
  atLeast,
  type Declared,
  inFormat,
  itemsAtMost,
  mustBeSet,
  mustNotBeSet,
  mustNotChange,
  oneOf,
  type Rule,
} from './rules'

export interface Subject {
  engine: Engine
  object: KubeObject
  /** undefined on create */
  old: KubeObject | undefined
}

type Rules = Declared | ((subject: Subject) => Declared)

const REQUIRED: Declared = { first: [mustBeSet] }
/** The handwritten rule rejects the empty value as unsupported or invalid. */
const REQUIRED_CHOICE: Declared = {
  first: [mustBeSet],
  replaces: /^(?:Unsupported|Invalid) value: ""/,
}
/** The handwritten rule forbids the change. */
const IMMUTABLE: Declared = { first: [mustNotChange], replaces: /^Forbidden: updates to/ }

const ROLE: Declared = {
  members: { rules: { items: { members: { verbs: REQUIRED } } } },
}
const BINDING: Declared = {
  members: {
    subjects: { items: { members: { name: REQUIRED } } },
    roleRef: { members: { name: REQUIRED } },
  },
}

function autoscaler({ engine, old }: Subject): Declared {
  const before = isJsonObject(old?.spec) ? old.spec : {}
  const fewest = engine.featureGates.HPAScaleToZero || before.minReplicas === 0 ? 0 : 1
  return {
    members: {
      spec: {
        members: {
          minReplicas: { all: [atLeast(fewest)] },
          maxReplicas: { first: [mustBeSet], all: [atLeast(1)] },
        },
      },
    },
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  isJsonObject(value as never) ? (value as Record<string, unknown>)[name] : undefined

/**
 * Members that exist only in one mode of their structure: forbidden in others.
 * @param choice the member that selects the mode
 * @param modes the member of each mode
 * @param needed modes whose member is required
 */
const ofMode =
  (choice: string, modes: Readonly<Record<string, string>>, needed: readonly string[]): Rule =>
  ({ value, path, ...others }) => {
    const mode = memberOf(value, choice)
    if (!Object.keys(modes).includes(mode as string)) return []
    return Object.entries(modes).flatMap(([name, member]) => {
      if (member === '' || (name === mode && !needed.includes(name))) return []
      const rule = name === mode ? mustBeSet : mustNotBeSet
      const given = memberOf(value, member)
      // An empty structure is set.
      return rule({
        ...others,
        path: `${path}.${member}`,
        value: given === undefined || given === null ? undefined : true,
      })
    })
  }

const PRIORITY_LEVEL: Declared = {
  members: {
    spec: {
      all: [ofMode('type', { Limited: 'limited', Exempt: 'exempt' }, ['Limited'])],
      members: {
        type: REQUIRED_CHOICE,
        limited: {
          members: {
            limitResponse: {
              all: [ofMode('type', { Queue: 'queuing', Reject: '' }, ['Queue'])],
              members: { type: REQUIRED_CHOICE },
            },
          },
        },
      },
    },
  },
}

const FIXED_SPEC: Declared = {
  members: { spec: { first: [mustNotChange], replaces: /: field is immutable$/ } },
}

export const DECLARED: Readonly<Record<string, Rules>> = {
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': {
    members: { spec: { members: { policyName: REQUIRED, validationActions: REQUIRED } } },
  },
  'autoscaling/HorizontalPodAutoscaler': autoscaler,
  'batch/CronJob': { members: { spec: { members: { schedule: REQUIRED } } } },
  'discovery.k8s.io/EndpointSlice': {
    members: {
      addressType: {
        first: [mustBeSet, mustNotChange],
        all: [oneOf('FQDN', 'IPv4', 'IPv6')],
        replaces: /^Unsupported value: ""/,
      },
      endpoints: { items: { members: { addresses: { first: [mustBeSet, itemsAtMost(100)] } } } },
    },
  },
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': PRIORITY_LEVEL,
  'networking.k8s.io/IngressClass': {
    members: { spec: { members: { parameters: { members: { kind: REQUIRED, name: REQUIRED } } } } },
  },
  'node.k8s.io/RuntimeClass': {
    members: {
      handler: {
        first: [mustBeSet, mustNotChange],
        all: [inFormat(dnsLabelProblems)],
        replaces: /^Invalid value: ""/,
      },
    },
  },
  'rbac.authorization.k8s.io/ClusterRole': ROLE,
  'rbac.authorization.k8s.io/ClusterRoleBinding': BINDING,
  'rbac.authorization.k8s.io/Role': ROLE,
  'rbac.authorization.k8s.io/RoleBinding': BINDING,
  'resource.k8s.io/ResourceClaim': FIXED_SPEC,
  'resource.k8s.io/ResourceClaimTemplate': FIXED_SPEC,
  'storage.k8s.io/StorageClass': {
    members: {
      provisioner: { ...IMMUTABLE, first: [mustBeSet, mustNotChange] },
      parameters: IMMUTABLE,
      reclaimPolicy: IMMUTABLE,
      volumeBindingMode: IMMUTABLE,
    },
  },
  'storage.k8s.io/VolumeAttachment': {
    members: {
      spec: {
        first: [mustNotChange],
        members: {
          attacher: {
            first: [mustBeSet],
            all: [inFormat((name) => dnsSubdomainProblems(name.toLowerCase()))],
            replaces: /^Invalid value: ""/,
          },
        },
      },
    },
  },
}
