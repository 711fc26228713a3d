import { defineChanges } from './change'

/** What release 1.37 changes. */
export const CHANGES_IN_1_37 = defineChanges('1.37', {
  OwnersNamedByIndex: {
    does: 'Errors of an owner reference contain its index, and empty members are required.',
    source: 'k8s.io/apimachinery, pkg/api/validation/objectmeta.go',
  },
  NumbersFitTheirTypes: {
    does: 'Numbers of custom resources must fit the type and the format of their schema.',
    source: 'k8s.io/kube-openapi, pkg/validation/validate/values.go',
  },
  MisfitsKeepOwnership: {
    does: 'A write of an object that does not fit its schema leaves managedFields as they are.',
    source: 'k8s.io/apimachinery, pkg/util/managedfields/internal/structuredmerge.go',
  },
  ProxiesReadEndpointSlices: {
    does: 'A proxy to a service finds its endpoints in EndpointSlices.',
    source: 'kubernetes/kubernetes, pkg/registry/core/service/storage/rest.go',
  },
  ExternalAddressesDeprecated: {
    does: 'A Service with externalIPs gets a warning.',
    source: 'kubernetes/kubernetes, pkg/api/service/warnings.go',
  },
  SharedProcessesNamedInSpec: {
    does: 'The error about hostPID and shareProcessNamespace names spec.shareProcessNamespace.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  EndPortPrinted: {
    does: 'The error about an endPort below its port prints the endPort.',
    source: 'kubernetes/kubernetes, pkg/apis/networking/validation/validation.go',
  },
  NodeArchitectureShown: {
    does: 'The kernel version of a node in a Table contains the architecture.',
    source: 'kubernetes/kubernetes, pkg/printers/internalversion/printers.go',
  },
  SetItemsWarned: {
    does: 'A definition with a set of lists or objects gets a warning.',
    source: 'k8s.io/apiextensions-apiserver, pkg/registry/customresourcedefinition/strategy.go',
  },
  NamespacesCheckedOnCreate: {
    does: 'Updates of objects do not check that their namespace exists.',
    source: 'k8s.io/apiserver, pkg/admission/plugin/namespace/lifecycle/admission.go',
  },
  PeerAndStorageHooks: {
    does: 'Health checks include peer-endpoint-reconciler-controller and storage-readiness, and livez and healthz loopback-serving-certificate.',
    source: 'kubernetes/kubernetes, pkg/controlplane/apiserver/server.go',
  },
  AutoscalerMaximumRequired: {
    does: 'A maxReplicas of 0 counts as unset.',
    source: 'kubernetes/kubernetes, pkg/apis/autoscaling/validation/validation.go',
  },
  CustomStatusLeavesMetadata: {
    does: 'A request to the status of a custom resource owns no metadata.',
    source: 'k8s.io/apiextensions-apiserver, pkg/registry/customresource/status_strategy.go',
  },
  TextsOfTags: {
    does: 'Some rules have the texts that generated validation gives them.',
    source: 'k8s.io/apimachinery, pkg/api/validate',
  },
  EqualErrorsListedOnce: {
    does: 'Equal causes of an invalid object are listed once, except for custom resources and their definitions.',
    source: 'k8s.io/apiserver, pkg/registry/rest/validate.go',
  },
  PatchesCheckedAsJson: {
    does: 'A patch that is not JSON is rejected before its object is read.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/patch.go',
  },
  AppliesDecodeAsPatches: {
    does: 'Decoding errors of applied configurations name a patch in place of YAML.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/patch.go',
  },
  ReviewAttributesAreUnion: {
    does: 'The error about both or neither of the attributes of an access review is about its spec.',
    source: 'k8s.io/api, authorization/v1/types.go',
  },
  AuthorizerNamesInReasons: {
    does: 'Reasons of authorizers without an opinion begin with their names.',
    source: 'k8s.io/apiserver, pkg/authorization/union/union.go',
  },
  StatefulSetMembersImmutable: {
    does: 'A change of a StatefulSet is rejected for each immutable member that it changes.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  DefaultClassUnmarked: {
    does: 'The name of a default StorageClass in a Table has no suffix.',
    source: 'kubernetes/kubernetes, pkg/printers/internalversion/printers.go',
  },
  JobStartPrinted: {
    does: 'The error about a changed startTime of a running Job prints it.',
    source: 'kubernetes/kubernetes, pkg/apis/batch/validation/validation.go',
  },
  ConditionTypeRequired: {
    does: 'The type of a condition that is empty is required, and has no further error.',
    source: 'k8s.io/apimachinery, pkg/apis/meta/v1/validation/validation.go',
  },
  JobUpdatesCheckedOnce: {
    does: 'Updates of Jobs are validated once, without the rules of their generated selector.',
    source: 'kubernetes/kubernetes, pkg/registry/batch/job/strategy.go',
  },
  WindowsPodsCheckedLast: {
    does: 'Errors about host namespaces of a Windows pod follow those of its security context.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  DecisionsAreUnion: {
    does: 'The error about a request that is both approved and denied names both conditions.',
    source: 'k8s.io/api, certificates/v1/types.go',
  },
  QuotedNamesAccepted: {
    does: 'CEL expressions may quote the name of a field: object.metadata.labels.`example.com/x`.',
    source: 'google/cel-go v0.29, parser/parser.go',
  },
  PoliciesSeeGoTypes: {
    does: 'In policies and match conditions, objects of built-in kinds reject keys and comparisons of other types.',
    source: 'k8s.io/apiserver, pkg/cel/common, `SchemalessTypedToVal`',
  },
  ElementsWithoutDefaults: {
    does: 'OpenAPI 3 documents have no defaults for elements of lists and maps.',
    source: 'kubernetes/kubernetes, api/openapi-spec/v3',
  },
  InternalTypesFollowApi: {
    does: 'Errors print pods and volumes with the members and the order of the API.',
    source: 'kubernetes/kubernetes, pkg/apis/core/types.go',
  },
})
