/** Metric families of the other parts of a server. */
import { counter, DEFAULT_BUCKETS, gauge, histogram } from './family'

const MISSING_SAN =
  'Counts the number of requests to servers missing SAN extension in their serving certificate OR the number of connection failures due to the lack of x509 certificate SAN extension missing (either/or, based on the runtime environment)'

export const SERVER_FAMILIES = {
  aggregator_unavailable_apiservice: gauge(
    'ALPHA',
    'Gauge of APIServices which are marked as unavailable broken down by APIService name.',
    ['name'],
  ),
  aggregator_unavailable_apiservice_total: counter(
    'ALPHA',
    'Counter of APIServices which are marked as unavailable broken down by APIService name and reason.',
    ['name', 'reason'],
  ),
  apiextensions_openapi_v2_regeneration_count: counter(
    'ALPHA',
    'Counter of OpenAPI v2 spec regeneration count broken down by causing CRD name and reason.',
    ['crd', 'reason'],
  ),
  apiextensions_openapi_v3_regeneration_count: counter(
    'ALPHA',
    'Counter of OpenAPI v3 spec regeneration count broken down by group, version, causing CRD and reason.',
    ['crd', 'group', 'reason', 'version'],
  ),
  apiserver_audit_error_total: counter(
    'ALPHA',
    'Counter of audit events that failed to be audited properly. Plugin identifies the plugin affected by the error.',
    ['plugin'],
  ),
  apiserver_audit_event_total: counter(
    'ALPHA',
    'Counter of audit events generated and sent to the audit backend.',
  ),
  apiserver_audit_level_total: counter(
    'ALPHA',
    'Counter of policy levels for audit events (1 per request).',
    ['level'],
  ),
  apiserver_audit_requests_rejected_total: counter(
    'ALPHA',
    'Counter of apiserver requests rejected due to an error in audit logging backend.',
  ),
  apiserver_certificates_registry_csr_honored_duration_total: counter(
    'ALPHA',
    'Total number of issued CSRs with a requested duration that was honored, sliced by signer (only kubernetes.io signer names are specifically identified)',
    ['signerName'],
  ),
  apiserver_certificates_registry_csr_requested_duration_total: counter(
    'ALPHA',
    'Total number of issued CSRs with a requested duration, sliced by signer (only kubernetes.io signer names are specifically identified)',
    ['signerName'],
  ),
  apiserver_kube_aggregator_x509_missing_san_total: counter('ALPHA', MISSING_SAN),
  apiserver_webhooks_x509_missing_san_total: counter('ALPHA', MISSING_SAN),
  disabled_metrics_total: counter('BETA', 'The count of disabled metrics.'),
  hidden_metrics_total: counter('BETA', 'The count of hidden metrics.'),
  kube_apiserver_clusterip_allocator_allocated_ips: gauge(
    'ALPHA',
    'Gauge measuring the number of allocated IPs for Services',
    ['cidr'],
  ),
  kube_apiserver_clusterip_allocator_allocation_duration_seconds: histogram(
    'ALPHA',
    'Duration in seconds to allocate a Cluster IP by ServiceCIDR',
    ['cidr'],
    DEFAULT_BUCKETS,
  ),
  kube_apiserver_clusterip_allocator_allocation_errors_total: counter(
    'ALPHA',
    'Number of errors trying to allocate Cluster IPs',
    ['cidr', 'scope'],
  ),
  kube_apiserver_clusterip_allocator_allocation_total: counter(
    'ALPHA',
    'Number of Cluster IPs allocations',
    ['cidr', 'scope'],
  ),
  kube_apiserver_clusterip_allocator_available_ips: gauge(
    'ALPHA',
    'Gauge measuring the number of available IPs for Services',
    ['cidr'],
  ),
  kube_apiserver_nodeport_allocator_allocated_ports: gauge(
    'ALPHA',
    'Gauge measuring the number of allocated NodePorts for Services',
  ),
  kube_apiserver_nodeport_allocator_allocation_errors_total: counter(
    'ALPHA',
    'Number of errors trying to allocate NodePort',
    ['scope'],
  ),
  kube_apiserver_nodeport_allocator_allocation_total: counter(
    'ALPHA',
    'Number of NodePort allocations',
    ['scope'],
  ),
  kube_apiserver_nodeport_allocator_available_ports: gauge(
    'ALPHA',
    'Gauge measuring the number of available NodePorts for Services',
  ),
  kubernetes_build_info: gauge(
    'ALPHA',
    "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    [
      'build_date',
      'compiler',
      'git_commit',
      'git_tree_state',
      'git_version',
      'go_version',
      'major',
      'minor',
      'platform',
    ],
  ),
  kubernetes_feature_enabled: gauge(
    'BETA',
    'This metric records the data about the stage and enablement of a k8s feature.',
    ['name', 'stage'],
  ),
  registered_metrics_total: counter(
    'BETA',
    'The count of registered metrics broken by stability level and deprecation version.',
    ['deprecated_version', 'stability_level'],
  ),
} as const
