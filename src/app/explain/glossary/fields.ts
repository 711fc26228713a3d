/** Fields that most kinds share, and those that the specification describes. Their paths are as one writes them; `[]` is a list's item. */
import { docs, entriesOf, PAGES, spec, type Words } from '../entry'

const metadata = spec(1, 'Common object metadata')
const envelope = spec(1, 'Type envelope')
const deployment = spec(3, 'Deployment')
const roles = spec(2, 'Role-based access objects')

/** Of every object. */
const COMMON: Record<string, Words> = {
  apiVersion: ['Group and version of the API that this document is written in: `apps/v1`, or `v1` for the core.', envelope],
  kind: ['What it is. Together with apiVersion it decides which fields there are.', envelope],
  'metadata.name': [
    'Unique among objects of the kind in their namespace. Cannot be changed.',
    metadata,
    spec(1, 'Object names'),
    PAGES.names,
  ],
  'metadata.generateName': ['The beginning of a name that the server completes with five drawn characters.', metadata],
  'metadata.namespace': [
    'The namespace that it lives in. Cannot be changed.',
    metadata,
    docs('Namespaces', 'concepts/overview/working-with-objects/namespaces/'),
  ],
  'metadata.uid': ['Drawn by the server: tells this object from a later one of the same name.', metadata, PAGES.names],
  'metadata.resourceVersion': [
    'Changes with every write. Sent back with an update, it keeps you from undoing what somebody else did meanwhile. Compare it only for being equal.',
    metadata,
    spec(1, 'Update of an existing object'),
    PAGES.versions,
  ],
  'metadata.generation': [
    'Counts changes of what is wanted. Beside status.observedGeneration it tells whether the controller has seen the newest.',
    metadata,
  ],
  'metadata.creationTimestamp': ['When it was made, by the server’s clock.', metadata],
  'metadata.deletionTimestamp': [
    'It is being deleted since (or at) this time. Only finalizers, or a grace period, keep it.',
    metadata,
    spec(1, 'Deletion lifecycle of an object'),
  ],
  'metadata.deletionGracePeriodSeconds': [
    'How long it is given to end by itself.',
    spec(1, 'Deletion lifecycle of an object'),
    PAGES.podLifecycle,
  ],
  'metadata.finalizers': [
    'What has to be cleaned up before it may go. Each is taken off by whoever is responsible for it.',
    metadata,
    spec(1, 'Deletion lifecycle of an object'),
    PAGES.finalizers,
  ],
  'metadata.labels': [
    'Short marks to choose objects by. Services, replica sets and selectors in lists go by them.',
    metadata,
    PAGES.labels,
  ],
  'metadata.annotations': [
    'Notes for tools and people. Nothing can be chosen by them.',
    metadata,
    docs('Annotations', 'concepts/overview/working-with-objects/annotations/'),
  ],
  'metadata.ownerReferences': ['To whom it belongs: when all owners are gone, it is deleted too.', PAGES.collection],
  'metadata.ownerReferences.controller': ['This owner manages it; there is at most one such.', PAGES.collection],
  'metadata.ownerReferences.blockOwnerDeletion': ['An owner that is deleted in the foreground waits for this object.', PAGES.collection],
  'metadata.managedFields': [
    'Who owns which field: one entry for each manager, operation and version.',
    metadata,
    spec(1, 'Field ownership'),
    PAGES.apply,
  ],
  'metadata.managedFields.manager': ['The name under which the fields are owned.', metadata, spec(1, 'Field ownership')],
  'metadata.managedFields.operation': ['Apply or Update: how the manager came to own the fields.', metadata, spec(1, 'Field ownership')],
  'metadata.managedFields.fieldsV1': [
    'The owned fields as a tree: `f:` a field, `k:` a list item by its keys, `v:` one by its value, `.` the thing itself.',
    metadata,
    PAGES.apply,
  ],
  'metadata.managedFields.subresource': [
    'The write came through this part of the object, for instance its status.',
    spec(1, 'Field ownership'),
    PAGES.apply,
  ],
  spec: ['What is wanted. You write it; controllers make it so.', docs('Objects', 'concepts/overview/working-with-objects/')],
  status: [
    'What is. Controllers write it, through a path of its own; what you send in it is ignored.',
    docs('Objects', 'concepts/overview/working-with-objects/'),
  ],
  'status.conditions': ['What can be said of the object in yes, no or unknown, each with a reason.', deployment],
  'status.conditions.type': ['What is said of the object: Available, Ready.', deployment],
  'status.conditions.status': ['True, False or Unknown.', deployment],
  'status.conditions.reason': ['Why, in one word that programs can read.', deployment],
  'status.conditions.lastTransitionTime': ['When the status turned last.', deployment],
  'status.observedGeneration': ['The newest generation that the controller has looked at.', deployment],
}

const DEPLOYMENT: Record<string, Words> = {
  'spec.replicas': ['How many pods are wanted. Left out means 1, which is not the same as 0.', deployment, PAGES.deployment],
  'spec.selector': ['Which pods belong to it. Has to fit the labels of the template, and cannot be changed.', deployment, PAGES.labels],
  'spec.template': ['What the pods are made from. Any change of it begins a roll-out.', deployment, PAGES.deployment],
  'spec.minReadySeconds': ['How long a pod has to be ready before it counts as available.', deployment],
  'spec.strategy': ['How old pods are replaced by new ones.', deployment, PAGES.deployment],
  'spec.strategy.type': ['RollingUpdate replaces a few at a time; Recreate ends all old ones first.', deployment],
  'spec.strategy.rollingUpdate.maxSurge': [
    'How many pods beyond the wanted number there may be meanwhile; percentages are rounded up.',
    deployment,
  ],
  'spec.strategy.rollingUpdate.maxUnavailable': [
    'How many of the wanted pods may be missing meanwhile; percentages are rounded down.',
    deployment,
  ],
  'spec.revisionHistoryLimit': ['How many old replica sets are kept to go back to.', deployment],
  'spec.progressDeadlineSeconds': ['After so long without progress the roll-out counts as failed; it is tried further.', deployment],
  'spec.paused': ['Changes of the template wait.', deployment],
  'status.availableReplicas': ['Pods that have been ready for minReadySeconds.', deployment],
  'status.readyReplicas': ['Pods that are ready.', deployment],
  'status.updatedReplicas': ['Pods of the newest template.', deployment],
  'status.unavailableReplicas': ['Pods that are still missing.', deployment],
}

const RULES: Record<string, Words> = {
  rules: ['What is allowed: every rule adds, none takes away.', roles, PAGES.rbac],
  'rules.verbs': ['Which verbs; `*` means all, also those to come.', roles, PAGES.rbac],
  'rules.apiGroups': ['Groups of the API; the empty text is the core group.', roles],
  'rules.resources': ['Plural names; `pods/log` is a subresource, which `pods` does not include.', roles],
  'rules.resourceNames': [
    'Only objects of these names. Has no effect on create, and on list only with a selector for the name.',
    roles,
    PAGES.rbac,
  ],
  'rules.nonResourceURLs': ['Paths that are no resources; only cluster roles can allow them.', roles],
  aggregationRule: ['The rules of this role are gathered from others, by their labels.', roles, PAGES.rbac],
}

const BINDING: Record<string, Words> = {
  subjects: ['Who gets the role: users, groups, service accounts.', roles, PAGES.rbac],
  roleRef: ['Which role is given. Cannot be changed: delete the binding and make another.', roles, PAGES.rbac],
}

/** By kind; what is said of all kinds stands under no name. */
export const FIELD_WORDS: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  '': COMMON,
  Deployment: DEPLOYMENT,
  Role: RULES,
  ClusterRole: RULES,
  RoleBinding: BINDING,
  ClusterRoleBinding: BINDING,
}

export const FIELDS = entriesOf('field', COMMON)
