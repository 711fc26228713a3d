/**
 * The request that policies and webhooks see. k8s.io/api, package admission/v1, AdmissionRequest.
 */
import {
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  object,
  STRING,
  TIMESTAMP,
  type Type,
} from '../cel/types/type'

const struct = (name: string, fields: Record<string, Type>): Type =>
  object(`kubernetes.${name}`, new Map(Object.entries(fields)))

const KIND = struct('GroupVersionKind', { group: STRING, version: STRING, kind: STRING })
const RESOURCE = struct('GroupVersionResource', {
  group: STRING,
  version: STRING,
  resource: STRING,
})
const USER = struct('UserInfo', {
  username: STRING,
  uid: STRING,
  groups: listOf(STRING),
  extra: mapOf(STRING, listOf(STRING)),
})

export const REQUEST_TYPE = struct('AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER,
  dryRun: BOOL,
  options: DYN,
})

/** As expressions see it. */
export const NAMESPACE_METADATA: Readonly<Record<string, Type>> = {
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  labels: mapOf(STRING, STRING),
  annotations: mapOf(STRING, STRING),
  UID: STRING,
  creationTimestamp: TIMESTAMP,
  deletionGracePeriodSeconds: INT,
  deletionTimestamp: TIMESTAMP,
  generation: INT,
  resourceVersion: STRING,
  finalizers: listOf(STRING),
}

const CONDITION = struct('NamespaceCondition', {
  status: STRING,
  type: STRING,
  lastTransitionTime: TIMESTAMP,
  message: STRING,
  reason: STRING,
})

export const NAMESPACE_TYPE = struct('Namespace', {
  metadata: struct('NamespaceMetadata', { ...NAMESPACE_METADATA }),
  spec: struct('NamespaceSpec', { finalizers: listOf(STRING) }),
  status: struct('NamespaceStatus', { conditions: listOf(CONDITION), phase: STRING }),
})
