/** The kinds of repairs, in the order in which a review lists them. */
import { applyInsteadOfCreate, replaceInsteadOfCreate } from './kinds/already-exists'
import { forceConflicts, releaseFields } from './kinds/field-conflicts'
import { grantPermission } from './kinds/grant-permission'
import { createNamespace } from './kinds/missing-namespace'
import { relaxPodSecurity, restrictPod } from './kinds/pod-security'
import { auditPolicy, setPolicyValue } from './kinds/policies'
import { raiseQuota, setResources } from './kinds/quotas'
import { reapplyChange } from './kinds/stale-version'
import { moveUnknownFields, removeUnknownFields, renameUnknownFields } from './kinds/unknown-fields'
import { correctFields } from './kinds/validation'
import { ignoreWebhookFailure } from './kinds/webhooks'
import type { RepairKind } from './repair'

export const REPAIR_KINDS: readonly RepairKind[] = [
  grantPermission,
  createNamespace,
  applyInsteadOfCreate,
  replaceInsteadOfCreate,
  releaseFields,
  forceConflicts,
  reapplyChange,
  moveUnknownFields,
  renameUnknownFields,
  removeUnknownFields,
  correctFields,
  raiseQuota,
  setResources,
  restrictPod,
  relaxPodSecurity,
  setPolicyValue,
  auditPolicy,
  ignoreWebhookFailure,
]
