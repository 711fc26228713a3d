/** Canonical, with defaults (k8s.io/api, package admissionregistration/v1). */
import type { KubeObject } from '../core/object'
import type { LabelSelectorObject } from '../validation/label-selectors'
import type { ClientConfig } from '../webhooks/client'

export type FailurePolicy = 'Fail' | 'Ignore'

export interface Rule {
  operations?: string[] | null
  apiGroups?: string[] | null
  apiVersions?: string[] | null
  resources?: string[] | null
  /** Absent: `*`. */
  scope?: string
  /** Policies only. Empty: every name. */
  resourceNames?: string[] | null
}

export interface MatchResources {
  resourceRules?: Rule[] | null
  excludeResourceRules?: Rule[] | null
  matchPolicy?: string
  namespaceSelector?: LabelSelectorObject | null
  objectSelector?: LabelSelectorObject | null
}

export interface MatchCondition {
  name?: string
  expression?: string
}

export interface Webhook {
  name?: string
  clientConfig?: ClientConfig
  rules?: Rule[] | null
  failurePolicy?: string
  matchPolicy?: string
  namespaceSelector?: LabelSelectorObject | null
  objectSelector?: LabelSelectorObject | null
  sideEffects?: string | null
  timeoutSeconds?: number
  admissionReviewVersions?: string[] | null
  matchConditions?: MatchCondition[] | null
  /** Mutating webhooks only. */
  reinvocationPolicy?: string
}

export interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[] | null
}

export interface ParamKind {
  apiVersion?: string
  kind?: string
}

export interface Validation {
  expression?: string
  message?: string
  messageExpression?: string
  reason?: string
}

export interface AuditAnnotation {
  key?: string
  valueExpression?: string
}

export interface Variable {
  name?: string
  expression?: string
}

export interface Mutation {
  patchType?: string
  applyConfiguration?: { expression?: string } | null
  jsonPatch?: { expression?: string } | null
}

export interface PolicySpec {
  paramKind?: ParamKind | null
  matchConstraints?: MatchResources | null
  validations?: Validation[] | null
  failurePolicy?: string
  auditAnnotations?: AuditAnnotation[] | null
  matchConditions?: MatchCondition[] | null
  variables?: Variable[] | null
  /** MutatingAdmissionPolicies only. */
  mutations?: Mutation[] | null
  reinvocationPolicy?: string
}

export interface MutatingAdmissionPolicy extends KubeObject {
  spec?: PolicySpec
}

export interface ExpressionWarning {
  fieldRef?: string
  warning?: string
}

export interface ValidatingAdmissionPolicy extends KubeObject {
  spec?: PolicySpec
  status?: {
    observedGeneration?: number
    typeChecking?: { expressionWarnings?: ExpressionWarning[] | null } | null
    conditions?: unknown
  }
}

export interface ParamRef {
  name?: string
  namespace?: string
  selector?: LabelSelectorObject | null
  parameterNotFoundAction?: string
}

export interface BindingSpec {
  policyName?: string
  paramRef?: ParamRef | null
  matchResources?: MatchResources | null
  validationActions?: string[] | null
}

export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  spec?: BindingSpec
}
