/** Deletion waits for the objects (`crd-def-life`). */
import type { KubeObject } from '../../core/object'
import type { Strategy } from '../../registry/strategy'
import type { Changes } from '../../release-tables/changes'
import {
  CLEANUP_FINALIZER,
  type Definition,
  isConditionTrue,
  storageVersionOf,
  withCondition,
} from './definition'
import { formatWarnings } from './format-warnings'
import { dropGatedParts } from './gated-parts'
import { setWarnings } from './set-warnings'
import {
  validateDefinition,
  validateDefinitionStatus,
  validateDefinitionUpdate,
} from './validation/definition'

const schemaWarnings = (changes: Changes, definition: Definition, old?: Definition): string[] => [
  ...formatWarnings(definition, old),
  ...(changes.has('SetItemsWarned') ? setWarnings(definition, old) : []),
]

export const customResourceDefinitionStrategy: Strategy = {
  behindGates: (_gates, changes) =>
    changes.has('UnrecognizedFormatsWarned')
      ? {
          warningsOnCreate: (object) => schemaWarnings(changes, object as Definition),
          warningsOnUpdate: (object, old) =>
            schemaWarnings(changes, object as Definition, old as Definition),
        }
      : {},
  generationFields: ['spec'],
  laxFinalizers: true,
  serverOwned: ['status'],
  allowUnconditionalUpdate: false,
  defaults(object) {
    const { spec } = object as Partial<Definition>
    if (!spec) return
    const { names } = spec
    if (names) {
      if (!names.singular) names.singular = (names.kind ?? '').toLowerCase()
      if (!names.listKind && names.kind) names.listKind = `${names.kind}List`
    }
    spec.conversion ??= { strategy: 'None' }
    const { webhook } = spec.conversion
    // kube-apiserver drops an empty webhook.
    if (webhook && !webhook.clientConfig && !webhook.conversionReviewVersions?.length)
      delete spec.conversion.webhook
    const service = webhook?.clientConfig?.service
    if (service) service.port ??= 443
    const stored = spec.versions?.find(({ storage }) => storage)
    const status = (object as Partial<Definition>).status
    if (stored && status && !status.storedVersions?.length)
      status.storedVersions = [stored.name ?? '']
  },
  prepareForCreate(object, { engine }) {
    const definition = object as Definition
    dropGatedParts(engine.featureGates, definition)
    const stored = definition.spec?.versions?.find(({ storage }) => storage)
    definition.status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored ? [stored.name ?? ''] : null,
    }
  },
  prepareForUpdate(object, old, { engine }) {
    const definition = object as Definition
    dropGatedParts(engine.featureGates, definition, old as Definition)
    const stored = storageVersionOf(definition)
    const versions = definition.status?.storedVersions ?? []
    if (stored === '' || versions.includes(stored)) return
    definition.status = { ...definition.status, storedVersions: [...versions, stored] }
  },
  validate: (object, { engine }) => validateDefinition(object as Definition, engine.release.name),
  validatesAllOnUpdate: false,
  validateUpdate: (object, old, { engine }) =>
    validateDefinitionUpdate(
      object as Definition,
      old as Definition,
      isConditionTrue(old as Definition, 'Established'),
      engine.release.name,
    ),
  beginDeletion(old, { finalizers, now }) {
    if (old.metadata.deletionTimestamp) return undefined
    const definition = old as Definition
    const status = withCondition(
      definition.status,
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        message:
          'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      },
      now,
    )
    const held = finalizers.includes(CLEANUP_FINALIZER)
      ? finalizers
      : [...finalizers, CLEANUP_FINALIZER]
    return {
      ...old,
      metadata: { ...old.metadata, finalizers: held, deletionTimestamp: now },
      status,
    } as KubeObject
  },
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate: (object) => validateDefinitionStatus(object as Definition),
  },
}
