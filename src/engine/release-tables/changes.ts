/**
 * Behavior changes of releases that neither a generated table nor a feature gate contains. Rules
 * that depend on the release look a change up by name. docs/releases.md lists the changes.
 */
import { minorOf } from './minor'

export interface Change {
  /** The first release with the change: `1.33`. */
  since: string
  /** The change in one sentence. */
  does: string
  /** The public source: a pull request, a KEP, a package or release notes. */
  source: string
}

const define = <Name extends string>(changes: Record<Name, Change>) => changes

export const CHANGES = define({
  TooLongNamesBytes: {
    since: '1.32',
    does: 'Values that are too long "may not be more than N bytes".',
    source: 'k8s.io/apimachinery, pkg/util/validation/field/errors.go',
  },
  MountableSecretsDeprecated: {
    since: '1.32',
    does: 'The annotation kubernetes.io/enforce-mountable-secrets gets a warning.',
    source: 'kubernetes/kubernetes, pkg/registry/core/serviceaccount/strategy.go',
  },
  PodQosClassKept: {
    since: '1.32',
    does: 'The qosClass of a pod is immutable, and a status without one keeps it.',
    source: 'kubernetes/kubernetes#127744',
  },
  VolumeAttributesClassProtected: {
    since: '1.32',
    does: 'VolumeAttributesClasses get the finalizer kubernetes.io/vac-protection.',
    source: 'KEP-3751',
  },
  PodGeneration: {
    since: '1.33',
    does: 'Pods have a generation, which changes of the spec raise.',
    source: 'KEP-5067',
  },
  EndpointsDeprecated: {
    since: '1.33',
    does: 'Requests for Endpoints get a warning that names EndpointSlice.',
    source: 'KEP-4974',
  },
  StatefulSetHistoryLimitChanges: {
    since: '1.33',
    does: 'The revisionHistoryLimit of a StatefulSet may change, and a negative one gets a warning.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  StatefulSetServiceNameChecked: {
    since: '1.33',
    does: 'The service name of a new StatefulSet must be a DNS label.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  SchemeErrorsAtLine110: {
    since: '1.33',
    does: 'Errors about unregistered kinds name line 110 of the scheme.',
    source: 'k8s.io/apimachinery, pkg/runtime/scheme.go',
  },
  CreateDenialNamesUser: {
    since: '1.33',
    does: 'The error about an update that may not create names the user and the verb.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/create.go',
  },
  VersionReportsEmulation: {
    since: '1.33',
    does: '/version reports the emulated and the oldest compatible version.',
    source: 'KEP-4330',
  },
  ServiceCidrHook: {
    since: '1.33',
    does: 'Health checks include start-kubernetes-service-cidr-controller.',
    source: 'KEP-1880',
  },
  ExpressionTypeNamesFound: {
    since: '1.33',
    does: 'Errors about the type of a CEL result name the type that was found.',
    source: 'k8s.io/apiserver, pkg/admission/plugin/cel/compile.go',
  },
  ComponentStatusNotFound: {
    since: '1.33',
    does: 'A request for an unknown component status gets a 404.',
    source: 'kubernetes/kubernetes, pkg/registry/core/componentstatus/rest.go',
  },
  BindingNamesMissingRole: {
    since: '1.33',
    does: 'The error about a binding to a missing role names the binding.',
    source: 'kubernetes/kubernetes, pkg/registry/rbac',
  },
  EphemeralContainersAreOwned: {
    since: '1.33',
    does: 'Ephemeral containers raise the generation of a pod and have field managers.',
    source: 'KEP-5067',
  },
  PodConditionsInStatus: {
    since: '1.33',
    does: 'Errors about conditions of a pod name status.conditions.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  TolerationValueNamed: {
    since: '1.33',
    does: 'The error about a toleration with a superfluous value prints only the value.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  OverlappingPathsWarned: {
    since: '1.33',
    does: 'Pods whose volumes have overlapping paths or sources without a type get a warning.',
    source: 'kubernetes/kubernetes, pkg/api/pod/warnings.go',
  },
  GitRepoDisabled: {
    since: '1.33',
    does: 'The warning about a gitRepo volume adds that it is disabled by default.',
    source: 'KEP-5040',
  },
  ScaleErrorsNameWorkload: {
    since: '1.33',
    does: 'The 404 for the scale of a missing workload names the workload.',
    source: 'kubernetes/kubernetes, pkg/registry/apps/deployment/storage/storage.go',
  },
  ListRevisionBadRequest: {
    since: '1.33',
    does: 'A list with a resourceVersion that is not a number gets a 400.',
    source: 'k8s.io/apiserver, pkg/storage/cacher/delegator.go',
  },
  StoredVersionExplained: {
    since: '1.33',
    does: 'The error about a missing stored version explains how to remove it.',
    source: 'k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go',
  },
  BuildTreeClean: {
    since: '1.33',
    does: '/version has the Git tree state clean.',
    source: '/version of kube-apiserver 1.33',
  },
  MatchResourcesSpelled: {
    since: '1.33',
    does: 'Errors about the resources of a policy binding contain spec.matchResources.',
    source: 'kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go',
  },
  MetricsEscapeUnderscores: {
    since: '1.33',
    does: 'The content type of /metrics contains escaping=underscores.',
    source: 'github.com/prometheus/common, expfmt',
  },
  TokenErrorsOfGoJose: {
    since: '1.33',
    does: 'Errors about signatures of tokens name go-jose/go-jose.',
    source: 'github.com/go-jose/go-jose',
  },
  EndpointAddressesCheckedOnce: {
    since: '1.33',
    does: 'Addresses of an EndpointSlice have one error each, and unchanged ones are not checked.',
    source: 'kubernetes/kubernetes, pkg/apis/discovery/validation/validation.go',
  },
  EmptySelectableFieldsOmitted: {
    since: '1.33',
    does: 'OpenAPI leaves out selectable fields of custom resources that have none.',
    source: 'k8s.io/apiextensions-apiserver, pkg/controller/openapi/builder',
  },
  VersionDocumentDescribed: {
    since: '1.33',
    does: 'OpenAPI describes /version as the version information for this server.',
    source: 'k8s.io/apiserver, pkg/server/routes/version.go',
  },
  DeviceRequestKinds: {
    since: '1.33',
    does: 'Requests for devices are exact, or name alternatives, of which the first available one counts.',
    source: 'KEP-4816',
  },
  SurrogateEscapesRejected: {
    since: '1.33',
    does: 'Escapes of surrogates in strings of CEL are errors.',
    source: 'github.com/google/cel-go, parser/unescape.go',
  },
  UnderscorePatternPrinted: {
    since: '1.34',
    does: 'The error about a DNS search path prints the pattern with underscores.',
    source: 'kubernetes/kubernetes#132034',
  },
  OverlappingPathsOncePerSource: {
    since: '1.34',
    does: 'A projected source without a list of files has no warning about overlapping paths.',
    source: 'kubernetes/kubernetes, pkg/api/pod/warnings.go',
  },
  ValuesPrintedAsJson: {
    since: '1.34',
    does: 'Field errors print structures, lists, maps, quantities and times as JSON, and nil as null.',
    source: 'kubernetes/kubernetes#132314',
  },
  RedundantDetailsOmitted: {
    since: '1.34',
    does: 'Errors of required fields do not repeat that they are required.',
    source: 'kubernetes/kubernetes#132472',
  },
  FieldNamesOmitted: {
    since: '1.34',
    does: 'Errors of invalid fields do not repeat the name of the field.',
    source: 'kubernetes/kubernetes#132513',
  },
  EnvFilesNamed: {
    since: '1.34',
    does: 'Errors of environment variables without a source name fileKeyRef.',
    source: 'KEP-3721',
  },
  TokenRequestsHaveUids: {
    since: '1.34',
    does: 'Token requests contain the UID of the service account.',
    source: 'kubernetes/kubernetes, pkg/registry/core/serviceaccount/storage/token.go',
  },
  MemoryLimitsDecrease: {
    since: '1.34',
    does: 'A resize may lower the memory limit of a container that it does not restart.',
    source: 'KEP-1287',
  },
  WorkloadUpdatesCheckedOnce: {
    since: '1.34',
    does: 'Updates of ReplicaSets and DaemonSets are validated once, so their errors are listed once.',
    source: 'kubernetes/kubernetes#131873, kubernetes/kubernetes#132548',
  },
  KeysOfItemsOptional: {
    since: '1.34',
    does: 'Items of associative lists may lack keys, if they have at least one of them.',
    source: 'sigs.k8s.io/structured-merge-diff, typed/helpers.go',
  },
  NameFormats: {
    since: '1.34',
    does: 'Schemas of custom resources have the string formats k8s-short-name and k8s-long-name.',
    source: 'k8s.io/apiextensions-apiserver, pkg/apiserver/validation/formats.go',
  },
  DifferencesOfJson: {
    since: '1.34',
    does: 'Errors of immutable structures print the difference of their JSON by line.',
    source: 'k8s.io/apimachinery, pkg/util/diff/diff.go',
  },
  SchemeErrorsAtLine111: {
    since: '1.35',
    does: 'Errors about unregistered kinds name line 111 of the scheme.',
    source: 'k8s.io/apimachinery, pkg/runtime/scheme.go',
  },
  NullCreationTimestampOmitted: {
    since: '1.35',
    does: 'Unset members of type Time are omitted if their Go tag is omitzero.',
    source: 'k8s.io/apimachinery, pkg/apis/meta/v1/types.go',
  },
  HostUsersNamedAsField: {
    since: '1.35',
    does: 'Errors of pods with user namespaces name the member hostUsers.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  MissingClaimsNamedEmpty: {
    since: '1.35',
    does: 'Errors of claims of a pod without resourceClaims state that the list is empty.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  UnreadableDeleteOptionsAreBadRequests: {
    since: '1.35',
    does: 'Deletions with unreadable options are 400 in place of 500.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/delete.go',
  },
  ImpersonationWithoutUserIsBadRequest: {
    since: '1.35',
    does: 'Impersonation of groups, extras or a UID without a user is a 400 with a Status.',
    source: 'k8s.io/apiserver, pkg/endpoints/filters/impersonation',
  },
  LimitsInTheSingular: {
    since: '1.35',
    does: 'Limits of one byte or item are in the singular.',
    source: 'k8s.io/apimachinery, pkg/util/validation/field/errors.go',
  },
  LengthsInBytes: {
    since: '1.35',
    does: 'Keys and values of labels that are too long "must be no more than N bytes".',
    source: 'k8s.io/apimachinery, pkg/api/validate/content/errors.go',
  },
  QualifiedNamesAreLabelKeys: {
    since: '1.35',
    does: 'Errors of qualified names with two slashes speak of label keys.',
    source: 'k8s.io/apimachinery, pkg/api/validate/content/kube.go',
  },
  RuleValuesPrinted: {
    since: '1.35',
    does: 'Violated rules of custom resources print scalar values, and no type.',
    source: 'kubernetes/kubernetes#133832',
  },
  AutoscalerGroupsChecked: {
    since: '1.35',
    does: 'The apiVersion of the target of an autoscaler must be valid and name a group.',
    source: 'kubernetes/kubernetes, pkg/apis/autoscaling/validation/validation.go',
  },
  HealthyBudgetsNamed: {
    since: '1.35',
    does: 'Evictions that a disruption budget with enough healthy pods denies do not count its pods.',
    source: 'kubernetes/kubernetes, pkg/registry/core/pod/storage/eviction.go',
  },
  UnrecognizedFormatsWarned: {
    since: '1.35',
    does: 'A definition with a string format that the server does not validate gets a warning.',
    source: 'k8s.io/apiextensions-apiserver, pkg/registry/customresourcedefinition/strategy.go',
  },
  MissingObjectsNotFound: {
    since: '1.35',
    does: 'A PUT with a uid to a missing object is a 404, unless it may create the object.',
    source: 'k8s.io/apiserver, pkg/registry/generic/registry/store.go',
  },
  TerminatingKindsForbidden: {
    since: '1.35',
    does: 'A create of a custom resource whose definition is deleted is a 403.',
    source: 'k8s.io/apiextensions-apiserver, pkg/apiserver/customresource_handler.go',
  },
  ConditionStatusDefaulted: {
    since: '1.35',
    does: 'Conditions of a failure policy in a CronJob have the default status True.',
    source: 'kubernetes/kubernetes, pkg/apis/batch/v1/defaults.go',
  },
  ClaimTemplatesChecked: {
    since: '1.35',
    does: 'The claim templates of a new StatefulSet are validated.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  TokensInSecretsAdvised: {
    since: '1.35',
    does: 'A CSIDriver with tokens that leaves open where they are passed gets a warning.',
    source: 'KEP-5538',
  },
  UpdatesCheckedOnce: {
    since: '1.35',
    does: 'Updates of RBAC objects, ReplicationControllers, PersistentVolumeClaims, VolumeAttachments and VolumeAttributesClasses are validated once.',
    source: 'kubernetes/kubernetes#132549, kubernetes/kubernetes#132550',
  },
  UnnamedDriversAreRequired: {
    since: '1.35',
    does: 'The name of a CSI driver that is empty is required, and has no further error.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  RuntimeTolerationPaths: {
    since: '1.35',
    does: 'Errors about tolerations of a RuntimeClass name scheduling.tolerations.',
    source: 'kubernetes/kubernetes, pkg/apis/node/validation/validation.go',
  },
  AppArmorFieldsNotAnnotated: {
    since: '1.35',
    does: 'An AppArmor profile in a field of a pod does not become an annotation.',
    source: 'kubernetes/kubernetes, pkg/registry/core/pod/strategy.go',
  },
  HeadlessMembersWarned: {
    since: '1.35',
    does: 'Headless services get a warning for members that they ignore.',
    source: 'kubernetes/kubernetes, pkg/api/service/warnings.go',
  },
  DecisionsNameConditions: {
    since: '1.35',
    does: 'The error about a request that is both approved and denied names status.conditions.',
    source: 'kubernetes/kubernetes, pkg/apis/certificates/validation/validation.go',
  },
  PatchTypesBeforeBodies: {
    since: '1.35',
    does: 'A patch without a content type is a 415, even if it has no body.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/patch.go',
  },
  FewerMembersCalledLists: {
    since: '1.35',
    does: 'OpenAPI does not call details of a Status, and bytes of certificate requests, atomic lists.',
    source: 'k8s.io/apimachinery, pkg/apis/meta/v1/types.go',
  },
  OwnersNamedByIndex: {
    since: '1.37',
    does: 'Errors of an owner reference contain its index, and empty members are required.',
    source: 'k8s.io/apimachinery, pkg/api/validation/objectmeta.go',
  },
  NumbersFitTheirTypes: {
    since: '1.37',
    does: 'Numbers of custom resources must fit the type and the format of their schema.',
    source: 'k8s.io/kube-openapi, pkg/validation/validate/values.go',
  },
  MisfitsKeepOwnership: {
    since: '1.37',
    does: 'A write of an object that does not fit its schema leaves managedFields as they are.',
    source: 'k8s.io/apimachinery, pkg/util/managedfields/internal/structuredmerge.go',
  },
  ProxiesReadEndpointSlices: {
    since: '1.37',
    does: 'A proxy to a service finds its endpoints in EndpointSlices.',
    source: 'kubernetes/kubernetes, pkg/registry/core/service/storage/rest.go',
  },
  ExternalAddressesDeprecated: {
    since: '1.37',
    does: 'A Service with externalIPs gets a warning.',
    source: 'kubernetes/kubernetes, pkg/api/service/warnings.go',
  },
  SharedProcessesNamedInSpec: {
    since: '1.37',
    does: 'The error about hostPID and shareProcessNamespace names spec.shareProcessNamespace.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  EndPortPrinted: {
    since: '1.37',
    does: 'The error about an endPort below its port prints the endPort.',
    source: 'kubernetes/kubernetes, pkg/apis/networking/validation/validation.go',
  },
  NodeArchitectureShown: {
    since: '1.37',
    does: 'The kernel version of a node in a Table contains the architecture.',
    source: 'kubernetes/kubernetes, pkg/printers/internalversion/printers.go',
  },
  SetItemsWarned: {
    since: '1.37',
    does: 'A definition with a set of lists or objects gets a warning.',
    source: 'k8s.io/apiextensions-apiserver, pkg/registry/customresourcedefinition/strategy.go',
  },
  NamespacesCheckedOnCreate: {
    since: '1.37',
    does: 'Updates of objects do not check that their namespace exists.',
    source: 'k8s.io/apiserver, pkg/admission/plugin/namespace/lifecycle/admission.go',
  },
  PeerAndStorageHooks: {
    since: '1.37',
    does: 'Health checks include peer-endpoint-reconciler-controller and storage-readiness, and livez and healthz loopback-serving-certificate.',
    source: 'kubernetes/kubernetes, pkg/controlplane/apiserver/server.go',
  },
  AutoscalerMaximumRequired: {
    since: '1.37',
    does: 'A maxReplicas of 0 counts as unset.',
    source: 'kubernetes/kubernetes, pkg/apis/autoscaling/validation/validation.go',
  },
  CustomStatusLeavesMetadata: {
    since: '1.37',
    does: 'A request to the status of a custom resource owns no metadata.',
    source: 'k8s.io/apiextensions-apiserver, pkg/registry/customresource/status_strategy.go',
  },
  TextsOfTags: {
    since: '1.37',
    does: 'Some rules have the texts that generated validation gives them.',
    source: 'k8s.io/apimachinery, pkg/api/validate',
  },
  EqualErrorsListedOnce: {
    since: '1.37',
    does: 'Equal causes of an invalid object are listed once, except for custom resources and their definitions.',
    source: 'k8s.io/apiserver, pkg/registry/rest/validate.go',
  },
  PatchesCheckedAsJson: {
    since: '1.37',
    does: 'A patch that is not JSON is rejected before its object is read.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/patch.go',
  },
  AppliesDecodeAsPatches: {
    since: '1.37',
    does: 'Decoding errors of applied configurations name a patch in place of YAML.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/patch.go',
  },
  ReviewAttributesAreUnion: {
    since: '1.37',
    does: 'The error about both or neither of the attributes of an access review is about its spec.',
    source: 'k8s.io/api, authorization/v1/types.go',
  },
  AuthorizerNamesInReasons: {
    since: '1.37',
    does: 'Reasons of authorizers without an opinion begin with their names.',
    source: 'k8s.io/apiserver, pkg/authorization/union/union.go',
  },
  StatefulSetMembersImmutable: {
    since: '1.37',
    does: 'A change of a StatefulSet is rejected for each immutable member that it changes.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  DefaultClassUnmarked: {
    since: '1.37',
    does: 'The name of a default StorageClass in a Table has no suffix.',
    source: 'kubernetes/kubernetes, pkg/printers/internalversion/printers.go',
  },
})

export type ChangeName = keyof typeof CHANGES

/** The changes that apply to a release. */
export type Changes = ReadonlySet<ChangeName>

const known = new Map<string, Changes>()

/** The changes that apply to a release, including those of earlier releases. */
export function changesOf(release: string): Changes {
  let changes = known.get(release)
  if (changes === undefined) {
    const names = Object.keys(CHANGES) as ChangeName[]
    changes = new Set(names.filter((name) => minorOf(CHANGES[name].since) <= minorOf(release)))
    known.set(release, changes)
  }
  return changes
}
