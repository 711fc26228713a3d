import type { Json, KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type {
  MutatingAdmissionPolicy,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../policy/objects'
import type { Kind } from '../../registry/kind'
import { STATUS_ALONE, type Strategy, type StrategyContext } from '../../registry/strategy'
import { OBJECT_ONLY } from '../../registry/update-order'
import { containsExplicitEmpty, isExplicitEmpty } from '../../schema/explicit-empties'
import { REQUIRED } from '../../validation/declared/rules'
import { bindingErrors } from './bindings'
import { defaultBinding, defaultMutatingWebhooks, defaultPolicy, defaultWebhooks } from './defaults'
import { mutatingBindingErrors, mutatingPolicyErrors } from './mutating-policies'
import { paramKindAuthorizationErrors, paramRefAuthorizationErrors } from './param-rights'
import { policyErrors } from './policies'
import { policyStatusErrors } from './policy-status'
import { webhookConfigurationErrors } from './webhooks'

const webhooksOf = (object: KubeObject): Json | undefined =>
  (object as { webhooks?: Json }).webhooks

const releaseOf = ({ engine }: StrategyContext): string => engine.release.name

/** Updates validate the whole object with the stored one. */
const shared: Strategy = {
  allowUnconditionalUpdate: false,
  laxFinalizers: true,
  validatesAllOnUpdate: false,
}

const webhooks: Strategy = {
  ...shared,
  generationFields: ['webhooks'],
  // Empty lists and maps are not stored, but differ from absent ones: each write is a change.
  prepareForUpdate(object, old) {
    if (isExplicitEmpty(object, 'webhooks') || containsExplicitEmpty(webhooksOf(object)))
      object.metadata.generation = (old.metadata.generation ?? 0) + 1
  },
  validate: (object, context) => webhookConfigurationErrors(object, undefined, releaseOf(context)),
  validateUpdate: (object, old, context) =>
    webhookConfigurationErrors(object, old, releaseOf(context)),
}

async function checkPolicy(
  policy: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy | undefined,
  context: StrategyContext,
): Promise<FieldError[]> {
  const errors = policyErrors(policy, old, releaseOf(context))
  return errors.length > 0 ? errors : paramKindAuthorizationErrors(policy, old, context)
}

async function checkBinding(
  binding: ValidatingAdmissionPolicyBinding,
  old: ValidatingAdmissionPolicyBinding | undefined,
  context: StrategyContext,
): Promise<FieldError[]> {
  const errors = bindingErrors(binding.spec ?? {}, context.engine.tables.changes)
  return errors.length > 0 ? errors : paramRefAuthorizationErrors(binding, old, context)
}

const policies: Strategy = {
  ...shared,
  generationFields: ['spec'],
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  defaults: defaultPolicy,
  validate: (object, context) =>
    checkPolicy(object as ValidatingAdmissionPolicy, undefined, context),
  validateUpdate: (object, old, context) =>
    checkPolicy(object as ValidatingAdmissionPolicy, old as ValidatingAdmissionPolicy, context),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate: (object) => policyStatusErrors(object as ValidatingAdmissionPolicy),
  },
}

const bindings: Strategy = {
  ...shared,
  generationFields: ['spec'],
  defaults: defaultBinding,
  validate: (object, context) =>
    checkBinding(object as ValidatingAdmissionPolicyBinding, undefined, context),
  validateUpdate: (object, old, context) =>
    checkBinding(
      object as ValidatingAdmissionPolicyBinding,
      old as ValidatingAdmissionPolicyBinding,
      context,
    ),
}

async function checkMutatingPolicy(
  policy: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy | undefined,
  context: StrategyContext,
): Promise<FieldError[]> {
  const errors = mutatingPolicyErrors(policy, old, releaseOf(context))
  return errors.length > 0 ? errors : paramKindAuthorizationErrors(policy, old, context)
}

async function checkMutatingBinding(
  binding: ValidatingAdmissionPolicyBinding,
  old: ValidatingAdmissionPolicyBinding | undefined,
  context: StrategyContext,
): Promise<FieldError[]> {
  const errors = mutatingBindingErrors(binding.spec ?? {})
  return errors.length > 0
    ? errors
    : paramRefAuthorizationErrors(binding, old, context, 'mutatingadmissionpolicies')
}

const mutatingPolicies: Strategy = {
  ...shared,
  generationFields: ['spec'],
  defaults: defaultPolicy,
  validate: (object, context) =>
    checkMutatingPolicy(object as MutatingAdmissionPolicy, undefined, context),
  validateUpdate: (object, old, context) =>
    checkMutatingPolicy(object as MutatingAdmissionPolicy, old as MutatingAdmissionPolicy, context),
}

const mutatingBindings: Strategy = {
  ...shared,
  generationFields: ['spec'],
  defaults: defaultBinding,
  validate: (object, context) =>
    checkMutatingBinding(object as ValidatingAdmissionPolicyBinding, undefined, context),
  validateUpdate: (object, old, context) =>
    checkMutatingBinding(
      object as ValidatingAdmissionPolicyBinding,
      old as ValidatingAdmissionPolicyBinding,
      context,
    ),
}

export const admissionregistrationKinds: readonly Kind[] = [
  {
    group: 'admissionregistration.k8s.io',
    kind: 'MutatingAdmissionPolicy',
    strategy: mutatingPolicies,
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'MutatingAdmissionPolicyBinding',
    strategy: mutatingBindings,
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'MutatingWebhookConfiguration',
    strategy: {
      ...webhooks,
      defaults: defaultMutatingWebhooks,
    },
    updateChecks: OBJECT_ONLY,
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'ValidatingAdmissionPolicy',
    strategy: policies,
    updateChecks: OBJECT_ONLY,
    subresourceChecks: ['change'],
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'ValidatingAdmissionPolicyBinding',
    strategy: bindings,
    updateChecks: OBJECT_ONLY,
    declared: {
      members: { spec: { members: { policyName: REQUIRED, validationActions: REQUIRED } } },
    },
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'ValidatingWebhookConfiguration',
    strategy: {
      ...webhooks,
      defaults: defaultWebhooks,
    },
    updateChecks: OBJECT_ONLY,
  },
]
