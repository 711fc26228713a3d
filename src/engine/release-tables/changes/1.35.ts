import { defineChanges } from './change'

/** What release 1.35 changes. */
export const CHANGES_IN_1_35 = defineChanges('1.35', {
  NumericOperatorsNamed: {
    does: 'The error about a toleration with the operator Lt or Gt lists these operators.',
    source: 'KEP-5471',
  },
  MinCompatibilityFlag: {
    does: 'The flag --min-compatibility-version sets the oldest compatible version.',
    source: 'KEP-4330',
  },
  SchemeErrorsAtLine111: {
    does: 'Errors about unregistered kinds name line 111 of the scheme.',
    source: 'k8s.io/apimachinery, pkg/runtime/scheme.go',
  },
  NullCreationTimestampOmitted: {
    does: 'Unset members of type Time are omitted if their Go tag is omitzero.',
    source: 'k8s.io/apimachinery, pkg/apis/meta/v1/types.go',
  },
  HostUsersNamedAsField: {
    does: 'Errors of pods with user namespaces name the member hostUsers.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  MissingClaimsNamedEmpty: {
    does: 'Errors of claims of a pod without resourceClaims state that the list is empty.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  UnreadableDeleteOptionsAreBadRequests: {
    does: 'Deletions with unreadable options are 400 in place of 500.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/delete.go',
  },
  ImpersonationWithoutUserIsBadRequest: {
    does: 'Impersonation of groups, extras or a UID without a user is a 400 with a Status.',
    source: 'k8s.io/apiserver, pkg/endpoints/filters/impersonation',
  },
  LimitsInTheSingular: {
    does: 'Limits of one byte or item are in the singular.',
    source: 'k8s.io/apimachinery, pkg/util/validation/field/errors.go',
  },
  LengthsInBytes: {
    does: 'Keys and values of labels that are too long "must be no more than N bytes".',
    source: 'k8s.io/apimachinery, pkg/api/validate/content/errors.go',
  },
  QualifiedNamesAreLabelKeys: {
    does: 'Errors of qualified names with two slashes speak of label keys.',
    source: 'k8s.io/apimachinery, pkg/api/validate/content/kube.go',
  },
  RuleValuesPrinted: {
    does: 'Violated rules of custom resources print scalar values, and no type.',
    source: 'kubernetes/kubernetes#133832',
  },
  AutoscalerGroupsChecked: {
    does: 'The apiVersion of the target of an autoscaler must be valid and name a group.',
    source: 'kubernetes/kubernetes, pkg/apis/autoscaling/validation/validation.go',
  },
  HealthyBudgetsNamed: {
    does: 'Evictions that a disruption budget with enough healthy pods denies do not count its pods.',
    source: 'kubernetes/kubernetes, pkg/registry/core/pod/storage/eviction.go',
  },
  UnrecognizedFormatsWarned: {
    does: 'A definition with a string format that the server does not validate gets a warning.',
    source: 'k8s.io/apiextensions-apiserver, pkg/registry/customresourcedefinition/strategy.go',
  },
  MissingObjectsNotFound: {
    does: 'A PUT with a uid to a missing object is a 404, unless it may create the object.',
    source: 'k8s.io/apiserver, pkg/registry/generic/registry/store.go',
  },
  TerminatingKindsForbidden: {
    does: 'A create of a custom resource whose definition is deleted is a 403.',
    source: 'k8s.io/apiextensions-apiserver, pkg/apiserver/customresource_handler.go',
  },
  ConditionStatusDefaulted: {
    does: 'Conditions of a failure policy in a CronJob have the default status True.',
    source: 'kubernetes/kubernetes, pkg/apis/batch/v1/defaults.go',
  },
  ClaimTemplatesChecked: {
    does: 'The claim templates of a new StatefulSet are validated.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  TokensInSecretsAdvised: {
    does: 'A CSIDriver with tokens that leaves open where they are passed gets a warning.',
    source: 'KEP-5538',
  },
  UpdatesCheckedOnce: {
    does: 'Updates of RBAC objects, ReplicationControllers, PersistentVolumeClaims, VolumeAttachments and VolumeAttributesClasses are validated once.',
    source: 'kubernetes/kubernetes#132549, kubernetes/kubernetes#132550',
  },
  UnnamedDriversAreRequired: {
    does: 'The name of a CSI driver that is empty is required, and has no further error.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  RuntimeTolerationPaths: {
    does: 'Errors about tolerations of a RuntimeClass name scheduling.tolerations.',
    source: 'kubernetes/kubernetes, pkg/apis/node/validation/validation.go',
  },
  AppArmorFieldsNotAnnotated: {
    does: 'An AppArmor profile in a field of a pod does not become an annotation.',
    source: 'kubernetes/kubernetes, pkg/registry/core/pod/strategy.go',
  },
  HeadlessMembersWarned: {
    does: 'Headless services get a warning for members that they ignore.',
    source: 'kubernetes/kubernetes, pkg/api/service/warnings.go',
  },
  DecisionsNameConditions: {
    does: 'The error about a request that is both approved and denied names status.conditions.',
    source: 'kubernetes/kubernetes, pkg/apis/certificates/validation/validation.go',
  },
  PatchTypesBeforeBodies: {
    does: 'A patch without a content type is a 415, even if it has no body.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/patch.go',
  },
  FewerMembersCalledLists: {
    does: 'OpenAPI does not call details of a Status, and bytes of certificate requests, atomic lists.',
    source: 'k8s.io/apimachinery, pkg/apis/meta/v1/types.go',
  },
  MigrationsOfAllVersions: {
    does: 'A StorageVersionMigration names a resource without its version.',
    source: 'KEP-4192',
  },
  EmbeddedStructsNamed: {
    does: 'Errors of values of a wrong type name the Go structures that their fields are embedded in.',
    source: 'encoding/json of Go 1.25',
  },
})
