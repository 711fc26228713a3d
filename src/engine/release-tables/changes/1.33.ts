import { defineChanges } from './change'

/** What release 1.33 changes. */
export const CHANGES_IN_1_33 = defineChanges('1.33', {
  AddressErrorsReworded: {
    does: 'Errors of IPAddresses and ServiceCIDRs, and warnings of Services, state the valid form of an address.',
    source: 'k8s.io/apimachinery, pkg/util/validation/ip.go',
  },
  ImagesMountedByPath: {
    does: 'Mounts of image volumes may have a subPath.',
    source: 'KEP-4639',
  },
  EmulatesThreeReleases: {
    does: '--emulated-version takes the three releases before, from 1.31 on.',
    source: 'k8s.io/apiserver, pkg/util/compatibility/version.go',
  },
  PodGeneration: {
    does: 'Pods have a generation, which changes of the spec raise.',
    source: 'KEP-5067',
  },
  EndpointsDeprecated: {
    does: 'Requests for Endpoints get a warning that names EndpointSlice.',
    source: 'KEP-4974',
  },
  StatefulSetHistoryLimitChanges: {
    does: 'The revisionHistoryLimit of a StatefulSet may change, and a negative one gets a warning.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  StatefulSetServiceNameChecked: {
    does: 'The service name of a new StatefulSet must be a DNS label.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  SchemeErrorsAtLine110: {
    does: 'Errors about unregistered kinds name line 110 of the scheme.',
    source: 'k8s.io/apimachinery, pkg/runtime/scheme.go',
  },
  CreateDenialNamesUser: {
    does: 'The error about an update that may not create names the user and the verb.',
    source: 'k8s.io/apiserver, pkg/endpoints/handlers/create.go',
  },
  VersionReportsEmulation: {
    does: '/version reports the emulated and the oldest compatible version.',
    source: 'KEP-4330',
  },
  ServiceCidrHook: {
    does: 'Health checks include start-kubernetes-service-cidr-controller.',
    source: 'KEP-1880',
  },
  ExpressionTypeNamesFound: {
    does: 'Errors about the type of a CEL result name the type that was found.',
    source: 'k8s.io/apiserver, pkg/admission/plugin/cel/compile.go',
  },
  ComponentStatusNotFound: {
    does: 'A request for an unknown component status gets a 404.',
    source: 'kubernetes/kubernetes, pkg/registry/core/componentstatus/rest.go',
  },
  BindingNamesMissingRole: {
    does: 'The error about a binding to a missing role names the binding.',
    source: 'kubernetes/kubernetes, pkg/registry/rbac',
  },
  EphemeralContainersAreOwned: {
    does: 'Ephemeral containers raise the generation of a pod and have field managers.',
    source: 'KEP-5067',
  },
  PodConditionsInStatus: {
    does: 'Errors about conditions of a pod name status.conditions.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  TolerationValueNamed: {
    does: 'The error about a toleration with a superfluous value prints only the value.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  OverlappingPathsWarned: {
    does: 'Pods whose volumes have overlapping paths or sources without a type get a warning.',
    source: 'kubernetes/kubernetes, pkg/api/pod/warnings.go',
  },
  GitRepoDisabled: {
    does: 'The warning about a gitRepo volume adds that it is disabled by default.',
    source: 'KEP-5040',
  },
  ScaleErrorsNameWorkload: {
    does: 'The 404 for the scale of a missing workload names the workload.',
    source: 'kubernetes/kubernetes, pkg/registry/apps/deployment/storage/storage.go',
  },
  ListRevisionBadRequest: {
    does: 'A list with a resourceVersion that is not a number gets a 400.',
    source: 'k8s.io/apiserver, pkg/storage/cacher/delegator.go',
  },
  StoredVersionExplained: {
    does: 'The error about a missing stored version explains how to remove it.',
    source: 'k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go',
  },
  BuildTreeClean: {
    does: '/version has the Git tree state clean.',
    source: '/version of kube-apiserver 1.33',
  },
  MatchResourcesSpelled: {
    does: 'Errors about the resources of a policy binding contain spec.matchResources.',
    source: 'kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go',
  },
  MetricsEscapeUnderscores: {
    does: 'The content type of /metrics contains escaping=underscores.',
    source: 'github.com/prometheus/common, expfmt',
  },
  TokenErrorsOfGoJose: {
    does: 'Errors about signatures of tokens name go-jose/go-jose.',
    source: 'github.com/go-jose/go-jose',
  },
  EndpointAddressesCheckedOnce: {
    does: 'Addresses of an EndpointSlice have one error each, and unchanged ones are not checked.',
    source: 'kubernetes/kubernetes, pkg/apis/discovery/validation/validation.go',
  },
  EmptySelectableFieldsOmitted: {
    does: 'OpenAPI leaves out selectable fields of custom resources that have none.',
    source: 'k8s.io/apiextensions-apiserver, pkg/controller/openapi/builder',
  },
  VersionDocumentDescribed: {
    does: 'OpenAPI describes /version as the version information for this server.',
    source: 'k8s.io/apiserver, pkg/server/routes/version.go',
  },
  DeviceRequestKinds: {
    does: 'Requests for devices are exact, or name alternatives, of which the first available one counts.',
    source: 'KEP-4816',
  },
  SurrogateEscapesRejected: {
    does: 'Escapes of surrogates in strings of CEL are errors.',
    source: 'github.com/google/cel-go, parser/unescape.go',
  },
  TypesGrow: {
    does: 'Structures in errors have the members that the release added to their types.',
    source: 'k8s.io/apimachinery, pkg/util/validation/field/errors.go',
  },
})
